import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { LeadDetail } from '#shared/inbox/lead.ts'
import { draftOf, forgetDrafts, loadDraft, startDraft } from './drafts.ts'
import { keys, queryClient } from './query-client.ts'

const detail = {
  reference: 'Q-1',
  state: 'open',
  version: 3,
  draft: 'Hel',
  template: 'Hello Dana',
} as LeadDetail
const shown = () => queryClient.getQueryData<LeadDetail>(keys.lead('Q-1'))

let sent: { text: string; base: string | null; version: number }[]
let responses: (() => Response)[]
const json = (status: number, body: object) => () => new Response(JSON.stringify(body), { status })
const lost = () => {
  throw new TypeError('Failed to fetch')
}

beforeEach(() => {
  vi.useFakeTimers()
  sent = []
  queryClient.setQueryData(keys.lead('Q-1'), detail)
  vi.stubGlobal('fetch', async (_: string, { body }: { body: string }) => {
    sent.push(JSON.parse(body))
    return (responses.shift() ?? json(200, {}))()
  })
})
afterEach(() => {
  forgetDrafts()
  vi.unstubAllGlobals()
  queryClient.clear()
  vi.useRealTimers()
})

async function type(text: string) {
  draftOf('Q-1').change(text)
  await vi.advanceTimersByTimeAsync(5000)
}

test('each request to save a draft says which stored draft it is based on', async () => {
  responses = []
  startDraft(detail)

  await type('Hello')
  await type('Hello!')

  expect(sent).toMatchObject([
    { text: 'Hello', base: 'Hel' },
    { text: 'Hello!', base: 'Hello' },
  ])
})

test('if the lead has changed on the server, saving its draft is retried with the new version of the lead', async () => {
  responses = [json(409, { detail: 'Bob has.', current: { state: 'lost', version: 8 } })]
  startDraft(detail)

  await type('Hello')

  expect(sent).toMatchObject([{ version: 3 }, { version: 8, text: 'Hello', base: 'Hel' }])
  expect(draftOf('Q-1').state.get()).toBe('saved')
  expect(shown()).toMatchObject({ state: 'lost', version: 8, draft: 'Hello' })
})

test('text from another device is added below the text in the box, and both are saved', async () => {
  responses = [json(409, { current: { state: 'open', version: 3 }, draft: 'From my phone' })]
  startDraft(detail)

  await type('Hello')

  const both = 'Hello\n\nFrom my phone'
  expect(sent.at(-1)).toEqual({ text: both, base: 'From my phone', version: 3 })
  expect(draftOf('Q-1').received.get()).toEqual({ text: both, isAdded: true })
})

test('if the response to saving a draft is lost, that draft is not mistaken for text from another device', async () => {
  responses = [lost, json(409, { current: { state: 'open', version: 3 }, draft: 'Hello' })]
  startDraft(detail)
  draftOf('Q-1').change('Hello')
  await vi.advanceTimersByTimeAsync(500)

  await type('Hello there')

  expect(sent.map(({ text }) => text)).toEqual(['Hello', 'Hello there', 'Hello there'])
  expect(sent.at(-1)?.base).toBe('Hello')
})

test('a reply starts with the unsaved text, if there is any', async () => {
  responses = [lost, lost, lost, lost]
  draftOf('Q-1').change('Typed offline')
  await vi.advanceTimersByTimeAsync(500)

  expect(startDraft(detail)).toBe('Typed offline')
})

test('after an answer is undone, the draft that the server returns replaces saved text, but not unsaved text', async () => {
  responses = []
  await type('Saved')
  loadDraft('Q-1', 'Undone\n\nSaved')
  expect(draftOf('Q-1').received.get()?.text).toBe('Undone\n\nSaved')

  draftOf('Q-1').change('Unsaved')
  loadDraft('Q-1', 'Other')

  expect(draftOf('Q-1').received.get()?.text).toBe('Undone\n\nSaved')
})
