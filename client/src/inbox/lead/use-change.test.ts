import { expect, test, vi } from 'vitest'
import { fewFields, showLeads, storedLead, useInboxPage } from '../../../e2e/inbox/hooks.tsx'
import { day } from '../words/times.ts'
import type { LeadChange } from './use-change.ts'

const { use, ended, sent, respondWith, shown } = useInboxPage()
const { changeInWords, finishes, pressOf, useChange } = await import('./use-change.ts')

test('a change of one request is taken back if it fails, and can be tried again and undone', async () => {
  const before = fewFields('Q-1', { isSuspect: true, trouble: 'Not delivered', followUpOn: '2026-03-04' })
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

  respondWith([200, { state: 'open', version: 4 }])
  failed.retry?.()
  const done = await ended()
  expect(done).toMatchObject({ kind: 'done', text: 'marked as not spam.' })
  expect(storedLead('Q-1')).toMatchObject({ isSuspect: false, followUpOn: null, trouble: 'Not delivered' })

  respondWith([409, { detail: 'No.' }])
  done.undo?.()
  expect(await ended()).toMatchObject({ kind: 'failed', text: 'not changed. No.', retry: undefined })
  expect(sent().at(-1)?.body).toEqual({ version: 4 })

  respondWith([200, { state: 'open', version: 5 }])
  done.undo?.()
  expect(await ended()).toMatchObject({ kind: 'done', text: 'undone.', undo: undefined })
  expect(storedLead('Q-1')).toEqual({ ...before, version: 5 })
})

const open = { state: 'open', isSuspect: false, followUpOn: null, trouble: null } as const
const suspect = { ...open, isSuspect: true }
const spam = { ...open, state: 'spam' } as const
const won = { ...open, state: 'won' } as const
test.each<[LeadChange, typeof open | typeof suspect | typeof spam | typeof won, string, boolean]>([
  [{ state: 'won' }, open, 'marked as won.', true],
  [{ state: 'open' }, won, 'reopened.', false],
  [{ state: 'open' }, suspect, 'marked as not spam.', true],
  [{ state: 'open' }, spam, 'marked as not spam.', true],
  [{ followUpOn: '2026-03-06' }, open, `follow-up set for ${day('2026-03-06')}.`, true],
  [{ followUpOn: null }, open, 'follow-up removed.', false],
])('%j after %j is "%s"; does the next request open? %j', (change, before, words, opens) => {
  expect(changeInWords(pressOf(change).shown, before)).toBe(words)
  expect(finishes(change, before)).toBe(opens)
})

test('trouble ends with every state but open', () => {
  expect(pressOf({ state: 'won' }).shown).toEqual({ ...won, trouble: null })
})

test('two changes that fail, the second behind the first, leave nothing of either', async () => {
  const before = fewFields('Q-1', { followUpOn: '2026-03-04' })
  showLeads(before)
  const change = use(() => useChange(before))
  change({ state: 'won' })
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
  change({ followUpOn: '2026-03-06' })
  await vi.advanceTimersByTimeAsync(0)
  expect(shown('Q-1')).toMatchObject({ isSuspect: false, followUpOn: '2026-03-06' })
})

test('a change that fails behind another one leaves what that one has set', async () => {
  const before = fewFields('Q-1')
  showLeads(before)
  const change = use(() => useChange(before))
  respondWith([200, { state: 'won', version: 4 }], [409, { detail: 'No.' }])
  change({ state: 'won' })
  change({ state: 'spam' })

  await ended()
  expect(shown('Q-1')).toMatchObject({ state: 'won', version: 4 })
  expect(sent().at(-1)?.body).toEqual({ state: 'spam', version: 4 })
})
