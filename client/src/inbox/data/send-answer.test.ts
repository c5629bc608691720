import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { LeadDetail } from '#shared/inbox/lead.ts'
import { draftOf, forgetDrafts, startDraft } from './drafts.ts'
import { findRow } from './lead-cache.ts'
import { keys, queryClient } from './query-client.ts'
import { sendAnswer, undoAnswer } from './send-answer.ts'

const detail = {
  reference: 'Q-1',
  state: 'open',
  version: 3,
  draft: 'Hel',
  pendingAnswer: null,
} as LeadDetail
const queued = { state: 'answered', version: 4, key: 'k', sendsAt: '2026-03-02T15:00:15.000Z' }
const shown = () => queryClient.getQueryData<LeadDetail>(keys.lead('Q-1'))

const send = (text: string, version = 3) => sendAnswer('Q-1', { text, version })

type Sent = {
  method: string
  path: string
  body: { text: string; key: string; base: string | null; version: number }
}
let sent: Sent[]
let responses: (() => Response | Promise<Response>)[]
const json = (status: number, body: object) => () => new Response(JSON.stringify(body), { status })
const offline = () => {
  throw new TypeError('Failed to fetch')
}

beforeEach(() => {
  vi.useFakeTimers()
  sent = []
  queryClient.setQueryData(keys.lead('Q-1'), detail)
  vi.stubGlobal('fetch', async (path: string, { body, method }: { body: string; method: string }) => {
    sent.push({ path, method, body: JSON.parse(body) })
    return (responses.shift() ?? offline)()
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
  await vi.advanceTimersByTimeAsync(1000)
}

/** Advances the clock past the delays between attempts. */
async function settle<Result>(work: Promise<Result>): Promise<Result> {
  work.catch(() => {})
  await vi.advanceTimersByTimeAsync(60_000)
  return work
}

test('an answer is sent with the version of the lead that the owner has seen, and appears as queued', async () => {
  responses = [json(200, queued)]
  queryClient.setQueryData(keys.lead('Q-1'), { ...detail, version: 9 })

  expect(await settle(send('Hello'))).toEqual(queued)

  expect(sent).toMatchObject([{ path: '/api/leads/Q-1/answers', body: { text: 'Hello', version: 3 } }])
  expect(shown()).toMatchObject({ state: 'answered', version: 4, draft: null, pendingAnswer: { key: 'k' } })
})

test('if the response to an answer is lost, the answer is sent again with the same key', async () => {
  responses = [offline, json(503, {}), json(200, queued)]

  await settle(send('Hello'))

  expect(sent).toHaveLength(3)
  expect(new Set(sent.map(({ body }) => body.key)).size).toBe(1)
})

test('an answer keeps its key when the owner sends it again after a failure', async () => {
  responses = []
  await expect(settle(send('Hello'))).rejects.toThrow('cannot be reached')
  responses = [json(200, queued)]

  await settle(send('Hello'))

  expect(sent).toHaveLength(5)
  expect(new Set(sent.map(({ body }) => body.key)).size).toBe(1)
})

test('an answer that could not be delivered gets a new key when the owner sends it again', async () => {
  responses = [offline, offline, offline, offline]
  await expect(settle(send('Hello'))).rejects.toThrow('cannot be reached')
  responses = [json(409, { detail: 'It did not arrive.', current: { state: 'open', version: 5 } })]
  await expect(settle(send('Hello'))).rejects.toThrow('It did not arrive.')
  responses = [json(200, queued)]

  await settle(send('Hello', 5))

  const keys = sent.map(({ body }) => body.key)
  expect([keys.length, new Set(keys.slice(0, 5)).size, keys.indexOf(String(keys[5]))]).toEqual([6, 1, 5])
})

test('an answer says which stored draft it is based on', async () => {
  responses = [json(200, {}), json(200, queued)]
  startDraft(detail)
  await type('Hello')

  await settle(send('Hello!'))

  expect(sent.map(({ method, body }) => [method, body.text, body.base])).toEqual([
    ['PUT', 'Hello', 'Hel'],
    ['POST', 'Hello!', 'Hello'],
  ])
})

test('if text from another device arrives after the owner presses Send, the answer is still based on the draft from before', async () => {
  const saved = Promise.withResolvers<Response>()
  const newer = json(409, { current: { state: 'open', version: 3 }, draft: 'From my phone' })
  responses = [() => saved.promise, json(409, { detail: 'No.' }), newer, json(200, {})]
  startDraft(detail)
  draftOf('Q-1').change('Hello')
  await vi.advanceTimersByTimeAsync(500)
  const answer = send('Hello')
  saved.resolve(newer())
  await settle(answer.catch(() => {}))

  const both = 'Hello\n\nFrom my phone'
  expect(sent.map(({ method, body }) => [method, body.text, body.base])).toEqual([
    ['PUT', 'Hello', 'Hel'],
    ['POST', 'Hello', 'Hel'],
    ['PUT', 'Hello', 'Hel'],
    ['PUT', both, 'From my phone'],
  ])
})

test('after an answer is undone, its text becomes the draft again, and sending it uses a new key', async () => {
  responses = [json(200, queued), json(200, { state: 'open', version: 5, text: 'Hello' }), json(200, queued)]
  await settle(send('Hello'))

  expect(await settle(undoAnswer('Q-1', 'k'))).toBe('Hello')
  expect(shown()).toMatchObject({ state: 'open', version: 5, draft: 'Hello', pendingAnswer: null })
  await settle(send('Hello'))

  expect(sent[0]?.body.key).not.toBe(sent[2]?.body.key)
  expect(sent[1]?.path).toBe('/api/leads/Q-1/answers/k/undo')
})

test("after a conflict with another owner, the answer is not sent again, and the lead shows that owner's change", async () => {
  responses = [json(409, { detail: 'Bob has answered.', current: { state: 'answered', version: 8 } })]

  await expect(settle(send('Hello'))).rejects.toThrow('Bob has answered.')

  expect([sent.length, findRow('Q-1')?.version]).toEqual([1, 8])
})

test('once an answer is sent, newly typed text is saved as a draft', async () => {
  responses = [json(200, queued), json(200, {})]
  await settle(send('Hello'))

  draftOf('Q-1').change('One more thing')
  await vi.advanceTimersByTimeAsync(500)

  expect(sent.map(({ method }) => method)).toEqual(['POST', 'PUT'])
})

test('an answer is not sent while its draft is still being saved', async () => {
  const saved = Promise.withResolvers<Response>()
  responses = [() => saved.promise, json(200, queued)]
  draftOf('Q-1').change('Hello')
  await vi.advanceTimersByTimeAsync(500)

  const answer = send('Hello')
  await vi.advanceTimersByTimeAsync(5000)
  expect(sent.map(({ method }) => method)).toEqual(['PUT'])
  saved.resolve(json(200, {})())
  await settle(answer)

  expect(sent.map(({ method }) => method)).toEqual(['PUT', 'POST'])
})

test('if the response to an undo is lost, the undo is retried', async () => {
  responses = [offline, json(503, {}), json(200, { state: 'open', version: 5, text: 'Hello' })]

  expect(await settle(undoAnswer('Q-1', 'k'))).toBe('Hello')

  expect(sent.map(({ path }) => path)).toEqual(Array(3).fill('/api/leads/Q-1/answers/k/undo'))
})

test('sending an answer cancels the pending save of its draft, but if the server rejects the answer, the draft is saved', async () => {
  responses = [json(200, queued)]
  draftOf('Q-1').change('Hello')
  await settle(send('Hello'))
  expect(sent.map(({ method }) => method)).toEqual(['POST'])

  responses = [json(409, { detail: 'No.' }), json(200, {})]
  draftOf('Q-1').change('Again')
  await settle(send('Again').catch(() => {}))

  expect(sent.map(({ method }) => method)).toEqual(['POST', 'POST', 'PUT'])
})
