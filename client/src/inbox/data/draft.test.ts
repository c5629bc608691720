import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { LeadDetail } from '#shared/inbox/lead.ts'
import {
  baseOf,
  changeDraft,
  forgetKey,
  keepDraft,
  keyOfAnswer,
  takeBackAnswer,
  unsavedText,
} from './draft.ts'
import { keys, queryClient } from './queries.ts'

type Sent = {
  method: string
  path: string
  keepalive: boolean
  body: { text: string; base: string | null; version: number }
}
let sent: Sent[]
let responses: (() => Response)[]
const json = (status: number, body: object) => () => new Response(JSON.stringify(body), { status })
const lost = () => {
  throw new TypeError('Failed to fetch')
}
const newer = (draft: string) => json(409, { current: { state: 'open', version: 3 }, draft })

beforeEach(() => {
  sent = []
  const lead = { reference: 'Q-1', state: 'open', version: 3, draft: 'Hel' } as LeadDetail
  queryClient.setQueryData(keys.lead('Q-1'), lead)
  vi.stubGlobal('fetch', async (path: string, { body, ...init }: Sent & { body: string }) => {
    sent.push({ ...init, path, body: JSON.parse(body ?? '{}') })
    return (responses.shift() ?? lost)()
  })
})
afterEach(() => {
  vi.unstubAllGlobals()
  queryClient.clear()
})

const type = (text: string) => changeDraft('Q-1', (draft) => ({ ...(draft ?? { base: 'Hel' }), text }))
const save = (text: string) => {
  type(text)
  return keepDraft('Q-1', text)
}
const stored = () => queryClient.getQueryData<LeadDetail>(keys.lead('Q-1'))?.draft
const bodies = () => sent.map(({ body }) => body)

test('a draft is saved with the stored draft that it is based on', async () => {
  responses = [json(200, {}), json(200, {})]

  await save('Hello')
  await save('Hello!')

  expect(bodies()).toEqual([
    { text: 'Hello', base: 'Hel', version: 3 },
    { text: 'Hello!', base: 'Hello', version: 3 },
  ])
  expect([stored(), unsavedText('Q-1'), baseOf('Q-1')]).toEqual(['Hello!', undefined, 'Hello!'])
})

test.each(['From my phone', ''])(
  'what another device has saved is reported, not replaced: "%s"',
  async (theirs) => {
    responses = [newer(theirs)]

    await expect(save('Hello')).rejects.toMatchObject({ draft: theirs })

    expect([sent.length, stored(), baseOf('Q-1')]).toEqual([1, 'Hel', 'Hel'])
  },
)

test('a draft that was stored although its response was lost is not taken for that of another device', async () => {
  responses = [lost, newer('Hello'), json(200, {})]
  await expect(save('Hello')).rejects.toThrow('cannot be reached')

  await save('Hello, Ada')

  expect(bodies().at(-1)).toEqual({ text: 'Hello, Ada', base: 'Hello', version: 3 })
  expect(stored()).toBe('Hello, Ada')
})

test('if another owner has changed the lead, the draft is saved anyway', async () => {
  responses = [json(409, { current: { state: 'answered', version: 7 } }), json(200, {})]

  await save('Hello')

  expect(bodies().map(({ version }) => version)).toEqual([3, 7])
  expect(stored()).toBe('Hello')
})

test('a draft of blanks is none', async () => {
  responses = [json(200, {}), json(200, {})]
  const hasDraft = () => queryClient.getQueryData<LeadDetail>(keys.lead('Q-1'))?.hasDraft

  await save('Hello')
  expect(hasDraft()).toBe(true)
  await save(' ')
  expect(hasDraft()).toBe(false)
})

test('text that is typed while a draft is being saved stays unsaved', async () => {
  responses = [json(200, {})]
  const saving = save('Hello')
  type('Hello, Ada')

  await saving

  expect([unsavedText('Q-1'), baseOf('Q-1')]).toEqual(['Hello, Ada', 'Hello'])
})

test('a request that may outlive the page is only as long as browsers allow', async () => {
  responses = Array(4).fill(json(200, {}))

  // Each has the text before it, too.
  for (const text of ['Hello', '漢'.repeat(11_000), '字'.repeat(11_000), 'Hello']) await save(text)

  expect(sent.map(({ keepalive }) => keepalive)).toEqual([true, true, false, true])
})

test('an answer keeps its key until its text, files or address change, or the server refuses it', () => {
  const lead = queryClient.getQueryData(keys.lead('Q-1')) as LeadDetail
  const keyOf = (text: string, to: string, ...files: string[]) => keyOfAnswer(lead, { text, to, files })
  const first = keyOf('Yes', 'ada@example.com', 'f1')
  expect(keyOf('Yes', 'ada@example.com', 'f1')).toBe(first)

  const others = [keyOf('Yes', 'ada@example.com'), keyOf('No', 'ada@example.com')]
  others.push(keyOf('No', 'ada@work.example'))
  forgetKey('Q-1')
  others.push(keyOf('No', 'ada@work.example'))
  expect(new Set([first, ...others]).size).toBe(5)
})

test('before an answer is undone, the draft is saved, because the server adds it to the text of the answer', async () => {
  responses = [json(200, {}), json(200, { state: 'open', version: 5, text: 'Hello\n\nOne more thing' })]
  type('One more thing')

  await takeBackAnswer('Q-1').mutationFn('k')

  expect(sent.map(({ method, path }) => [method, path])).toEqual([
    ['PUT', '/api/leads/Q-1/draft'],
    ['POST', '/api/leads/Q-1/answers/k/undo'],
    // For its files.
    ['GET', '/api/leads/Q-1'],
  ])
  expect([stored(), unsavedText('Q-1')]).toEqual(['Hello\n\nOne more thing', undefined])
})

test('an answer is undone even if its draft cannot be saved, and what was typed stays', async () => {
  responses = [
    newer('From my phone'),
    json(200, { state: 'open', version: 5, text: 'Hello\n\nFrom my phone' }),
  ]
  type('One more thing')

  await takeBackAnswer('Q-1').mutationFn('k')

  expect([stored(), unsavedText('Q-1'), baseOf('Q-1')]).toEqual([
    'Hello\n\nFrom my phone',
    'One more thing',
    'Hel',
  ])
})
