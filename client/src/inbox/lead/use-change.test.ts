import { expect, test, vi } from 'vitest'
import {
  fewFields,
  followDeviceClock,
  showLeads,
  storedLead,
  useInboxPage,
} from '../../../e2e/inbox/hooks.tsx'
import type { Shown } from '../data/pending.ts'
import { keys, queryClient } from '../data/queries.ts'
import { followUpTime } from '../words/times.ts'
import type { LeadChange } from './use-change.ts'

const { use, ended, sent, respondWith, shown } = useInboxPage()
/** The response to a change of the first lead. */
const changed = (state: string, version: number, headers = {}): [number, object, Record<string, string>] => [
  200,
  { changed: [{ reference: 'Q-1', state, version }], left: [] },
  headers,
]
/** What is sent about the first lead. */
const leads = (version: number) => [{ reference: 'Q-1', version }]
const { changeInWords, finishes, pressOf, useChange } = await import('./use-change.ts')

test('a change of one request is taken back if it fails, and can be tried again and undone', async () => {
  const before = fewFields('Q-1', {
    isSuspect: true,
    trouble: 'Not delivered',
    followUpAt: '2026-03-04T13:00Z',
  })
  const endRead = showLeads(before)
  const change = use(() => useChange(before))
  change({ state: 'open' })
  await vi.advanceTimersByTimeAsync(0)
  endRead()
  await vi.advanceTimersByTimeAsync(0)
  expect(shown('Q-1')?.isSuspect).toBe(false)
  const failed = await ended()
  expect(failed).toMatchObject({ kind: 'failed', text: expect.stringMatching(/^not changed\. .*reached/) })
  expect(shown('Q-1')).toEqual(before)

  respondWith(changed('open', 4))
  failed.retry?.()
  const done = await ended()
  expect(done).toMatchObject({ kind: 'done', text: 'marked as not spam.' })
  expect(storedLead('Q-1')).toMatchObject({ isSuspect: false, followUpAt: null, trouble: 'Not delivered' })

  respondWith([200, { changed: [], left: ['Q-1'] }])
  done.undo?.()
  const text = 'not changed, because something new has happened there.'
  expect(await ended()).toMatchObject({ kind: 'failed', text, retry: undefined })
  expect(sent().at(-1)?.body).toEqual({ leads: leads(4) })

  respondWith(changed('open', 5))
  done.undo?.()
  expect(await ended()).toMatchObject({ kind: 'done', text: 'undone.', undo: undefined })
  expect(storedLead('Q-1')).toEqual({ ...before, version: 5 })
})

const open = { state: 'open', result: null, isSuspect: false, followUpAt: null, trouble: null } as const
const suspect = { ...open, isSuspect: true }
const spam = { ...open, state: 'spam' } as const
const answered = { ...open, state: 'answered' } as const
const at = '2026-03-06T13:00Z'
test.each<[LeadChange, Shown, string, boolean]>([
  [{ result: 'won' }, open, 'marked as won.', false],
  [{ result: 'lost' }, open, 'marked as lost.', true],
  [{ result: null }, { ...answered, result: 'won' }, 'no longer won or lost.', false],
  [{ state: 'answered' }, open, 'marked as answered.', true],
  [{ state: 'spam' }, open, 'marked as spam.', true],
  [{ state: 'open' }, answered, 'reopened.', false],
  [{ state: 'open' }, suspect, 'marked as not spam.', true],
  [{ state: 'open' }, spam, 'marked as not spam.', true],
  [{ followUpAt: at }, open, `follow-up set for ${followUpTime(at, Date.now())}.`, true],
  [{ followUpAt: null }, open, 'follow-up removed.', false],
])('%j after %j is "%s"; does the next request open? %j', (change, before, words, opens) => {
  const { what, shown } = pressOf(change)
  expect(changeInWords(what, shown, before)).toBe(words)
  expect(finishes(change, before)).toBe(opens)
})

test.each([
  ['answered', 'nothing to answer.'],
  ['open', 'nothing to answer. The request itself still waits.'],
])('if a request is %s when its last message needs no answer, the notice says "%s"', async (state, words) => {
  const before = fewFields('Q-1', { repliedAt: at })
  showLeads(before)
  respondWith(changed(state, 4))
  use(() => useChange(before))({ isAnswered: true })

  expect(await ended()).toMatchObject({ kind: 'done', text: words })
  expect(sent()).toMatchObject([{ path: '/api/leads/nothing-to-answer', body: { leads: leads(3) } }])
})

test('the notice about a follow-up names the day by the clock of the server', async () => {
  vi.setSystemTime('2026-03-05T15:00Z')
  const before = fewFields('Q-1')
  showLeads(before)
  const serverTime = { Date: 'Fri, 06 Mar 2026 12:00:00 GMT' }
  respondWith(changed('open', 4, serverTime))
  use(() => useChange(before))({ followUpAt: at })

  expect((await ended()).text).toMatch(/^follow-up set for .* today\.$/)
  await followDeviceClock()
})

test('what was typed about a call is kept until it is stored with the follow-up', async () => {
  const before = fewFields('Q-1')
  showLeads(before)
  queryClient.setQueryData(keys.typed('note', 'Q-1'), { text: 'Voicemail.', key: '1' })
  const change = use(() => useChange(before))
  respondWith([409, { detail: 'No.' }], changed('open', 4))
  const note = 'Called, no answer. Voicemail.'
  change({ followUpAt: at, note })
  await ended()
  expect(queryClient.getQueryData(keys.typed('note', 'Q-1'))).toMatchObject({ text: 'Voicemail.' })

  change({ followUpAt: at, note })
  await ended()
  expect(sent().at(-1)?.body).toEqual({ at, note, leads: leads(3) })
  expect(queryClient.getQueryData(keys.typed('note', 'Q-1'))).toMatchObject({ text: '' })

  // What was typed meanwhile is another note.
  respondWith(changed('answered', 5))
  change({ state: 'answered', answered: { at, by: 'phone', note: 'She wants a shop.' } })
  queryClient.setQueryData(keys.typed('note', 'Q-1'), { text: 'Send the quote.', key: '2' })
  await ended()
  expect(queryClient.getQueryData(keys.typed('note', 'Q-1'))).toMatchObject({ text: 'Send the quote.' })
})

test('a change whose response was lost is tried again with the same version, so that it is stored once', async () => {
  const before = fewFields('Q-1')
  showLeads(before)
  use(() => useChange(before))({ followUpAt: at })
  await vi.advanceTimersByTimeAsync(10)
  // It was stored.
  showLeads({ ...before, followUpAt: at, version: 4 })
  const failed = await ended()
  failed.retry?.()
  await ended()

  expect(sent().map(({ body }) => body)).toEqual(Array(8).fill({ at, leads: leads(3) }))
})

test('trouble ends with every state but open, and a follow-up unless the answer was an email', () => {
  expect(pressOf({ state: 'answered' }).shown).toMatchObject({ state: 'answered', trouble: null })
  expect(pressOf({ state: 'answered', answered: { at, by: 'phone' } }).shown.followUpAt).toBeNull()
  expect(pressOf({ state: 'answered', answered: { at, by: 'email' } }).shown.followUpAt).toBeUndefined()
  expect(pressOf({ result: 'won' }).shown).toEqual({ ...answered, result: 'won' })
})

test('two changes that fail, the second behind the first, leave nothing of either', async () => {
  const before = fewFields('Q-1', { followUpAt: '2026-03-04T13:00Z' })
  showLeads(before)
  const change = use(() => useChange(before))
  change({ result: 'won' })
  change({ state: 'spam' })
  await vi.advanceTimersByTimeAsync(0)
  expect([shown('Q-1')?.state, sent().length]).toEqual(['spam', 1])

  await ended()
  expect(shown('Q-1')).toEqual(before)
})

test('two changes that are being sent both show', async () => {
  const before = fewFields('Q-1', { isSuspect: true })
  showLeads(before)
  const change = use(() => useChange(before))
  change({ state: 'open' })
  change({ followUpAt: at })
  await vi.advanceTimersByTimeAsync(0)
  expect(shown('Q-1')).toMatchObject({ isSuspect: false, followUpAt: at })
})

test('a change that fails behind another one leaves what that one has set', async () => {
  const before = fewFields('Q-1')
  showLeads(before)
  const change = use(() => useChange(before))
  respondWith(changed('answered', 4), [409, { detail: 'No.' }])
  change({ result: 'won' })
  change({ state: 'spam' })

  await ended()
  expect(shown('Q-1')).toMatchObject({ state: 'answered', result: 'won', version: 4 })
  expect(sent().at(-1)?.body).toEqual({ state: 'spam', leads: leads(4) })
})
