import { beforeEach, expect, test, vi } from 'vitest'
import type { LeadSource } from '#shared/lead-source.ts'
import type { FormValues } from './form-values.ts'
import { createIdempotencyKeys, createStoredJson, recordFirstTouch } from './stored.ts'

const items = new Map<string, string>()

/** In-memory storage with the methods that the page uses. */
const memoryStorage = {
  getItem: (key: string) => items.get(key) ?? null,
  setItem: (key: string, value: string) => void items.set(key, value),
  removeItem: (key: string) => void items.delete(key),
}

const blockStorage = () =>
  vi.stubGlobal(
    'sessionStorage',
    new Proxy(memoryStorage, {
      get() {
        throw new DOMException('Blocked', 'SecurityError')
      },
    }),
  )

beforeEach(() => {
  items.clear()
  vi.stubGlobal('sessionStorage', memoryStorage)
  return () => void vi.unstubAllGlobals()
})

const draft = createStoredJson<FormValues>('contact.draft')

const values: FormValues = {
  firstName: 'Ada',
  lastName: '',
  email: 'ada@',
  phone: '',
  company: '',
  website: '',
  budget: 'starter',
  message: 'Two\nlines',
}

test('a draft is restored unchanged, including incomplete fields, until it is cleared', () => {
  draft.save(values)
  expect(draft.load()).toEqual(values)

  draft.clear()
  expect(items.size).toBe(0)
})

test('if storage is unavailable or has invalid data, nothing throws, and there is no draft', () => {
  items.set('contact.draft', '{"firstName":')
  expect(draft.load()).toBeUndefined()

  blockStorage()
  draft.save(values)
  draft.clear()
  expect(draft.load()).toBeUndefined()
})

/** Loads the page. */
const setUp = createIdempotencyKeys

test('a random key belongs to a content until the request is confirmed', () => {
  const keys = setUp()
  const first = keys.keyFor('hello')
  expect([first, keys.keyFor('hello'), keys.keyFor('hello again')]).toEqual([
    ...[first, first],
    expect.not.stringContaining(first),
  ])
  expect(first).toMatch(/^[0-9a-f-]{36}$/)

  const second = keys.keyFor('hello')
  keys.forget()
  expect(keys.keyFor('hello')).not.toBe(second)
})

test('a key survives reloads until the request is confirmed', () => {
  const key = setUp().keyFor('hello')
  const reloaded = setUp()
  expect(reloaded.keyFor('hello')).toBe(key)

  reloaded.forget()
  expect(setUp().keyFor('hello')).not.toBe(key)
})

test('without storage, a key lasts as long as the page', () => {
  blockStorage()
  const blocked = setUp()

  expect(blocked.keyFor('hello')).toBe(blocked.keyFor('hello'))
})

const site = 'https://agency.example'

/** Opens a page of this site, and returns the source. */
function visit(href: string, referrer = '') {
  vi.stubGlobal('location', { href })
  vi.stubGlobal('document', { referrer })
  return recordFirstTouch()
}

test.each<[string, string, LeadSource]>([
  [`${site}/`, '', { landing: '/' }],
  [
    `${site}/?plan=starter#contact`,
    'https://www.search.example/?q=ada',
    { landing: '/', referrer: 'search.example' },
  ],
  [
    `${site}/?utm_source=mail&utm_term=&utm_id=ada%2540mail.example&email=ada&gclid=Cj0KC&__proto__=x`,
    'android-app://com.mail.example/',
    { landing: '/', referrer: 'com.mail.example', parameters: { utm_source: 'mail', gclid: '1' } },
  ],
  // The visitor came from another page of this site, but this tab has stored no source: that page
  // lacks this script, or the link opened a new tab.
  [`${site}/#contact`, `${site}/work/?utm_source=mail`, { parameters: { utm_source: 'mail' } }],
  ['about:blank', 'not a URL', {}],
])('the page %s, opened from "%s", records %j', (url, referrer, source) => {
  expect(visit(url, referrer)).toEqual(source)
})

test('later pages in the tab do not change the source, and only the parameters that we need are stored', () => {
  const first = visit(`${site}/?utm_source=mail&email=ada`)

  const later = visit(`${site}/?utm_source=other`, 'https://search.example/')

  expect(later).toEqual(first)
  expect([...items.values()]).toEqual(['{"landing":"/","parameters":{"utm_source":"mail"}}'])
})
