import { expect, test } from 'vitest'
import type { LeadSource } from '#shared/inbox/lead.ts'
import { recordFirstTouch } from './first-touch.ts'
import { createMemoryStorage, openBlockedStorage } from './memory-storage.ts'

const site = 'https://agency.example'

test.each<[string, string, LeadSource]>([
  [`${site}/`, '', { landing: '/' }],
  [
    `${site}/?plan=starter#contact`,
    'https://www.search.example/?q=ada',
    { landing: '/', referrer: 'search.example' },
  ],
  [
    `${site}/?utm_source=mail&utm_term=&email=ada&gclid=Cj0KC&__proto__=x`,
    'android-app://com.mail.example/',
    { landing: '/', referrer: 'com.mail.example', parameters: { utm_source: 'mail', gclid: '1' } },
  ],
  // The visitor came from another page of this site, but this tab has stored no source: that page lacks this script, or the link
  // opened a new tab.
  [`${site}/#contact`, `${site}/work/?utm_source=mail`, { parameters: { utm_source: 'mail' } }],
  ['about:blank', 'not a URL', {}],
])('the page %s, opened from "%s", records %j', (url, referrer, source) => {
  expect(recordFirstTouch(createMemoryStorage().openStorage, () => ({ url, referrer }))).toEqual(source)
})

test('later pages in the tab do not change the source, and only the parameters that we need are stored', () => {
  const { items, openStorage } = createMemoryStorage()
  const visit = (url: string, referrer = '') =>
    recordFirstTouch(openStorage, () => ({ url: site + url, referrer }))
  const first = visit('/?utm_source=mail&email=ada')

  const later = visit('/?utm_source=other', 'https://search.example/')

  expect(later).toEqual(first)
  expect([...items.values()]).toEqual(['{"landing":"/","parameters":{"utm_source":"mail"}}'])
})

test('if storage is unavailable or has invalid data, the source of this visit is returned', () => {
  const readVisit = () => ({ url: `${site}/?utm_source=mail`, referrer: '' })
  const source = { landing: '/', parameters: { utm_source: 'mail' } }
  const { items, openStorage } = createMemoryStorage()
  items.set('contact.source', 'no JSON')

  expect(recordFirstTouch(openBlockedStorage, readVisit)).toEqual(source)
  expect(recordFirstTouch(openStorage, readVisit)).toEqual(source)
})

test('while the build prerenders the page, `location` does not exist, and the source is empty', () => {
  const readVisit = () => {
    throw new ReferenceError('location is not defined')
  }

  expect(recordFirstTouch(openBlockedStorage, readVisit)).toEqual({})
})
