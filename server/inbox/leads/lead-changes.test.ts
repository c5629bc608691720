import { expect, test } from 'vitest'
import type { LeadState } from '#shared/inbox/lead.ts'
import { officeTimeInWords } from '#shared/office-time-in-words.ts'
import { useTestApp } from '../../proof/testing/build-test-app.ts'
import { anna, answerKey, answerTools, atOffice, bob, leadTools } from '../../proof/testing/leads.ts'
import { followUp, markLead, noteLead, undoNote } from './change-lead.ts'

const MINUTE_MS = 60_000

const site = useTestApp()

const { submit, read, history } = leadTools(site)

/** The fields that every change needs, with the lead's current version. */
const changeOf = async (reference: string, who = anna) => ({
  reference,
  who,
  version: (await read(reference)).version,
})

const mark = async (reference: string, ...states: LeadState[]) => {
  for (const state of states) await markLead(site.inboxDeps, { ...(await changeOf(reference)), state })
}

test('marking a lead as answered records who did it, and when it was first answered', async () => {
  const reference = await submit()
  await mark(reference, 'answered')
  const first = site.clock.now.toISOString()
  site.advanceClock(MINUTE_MS)
  await mark(reference, 'won', 'answered')

  expect(await read(reference)).toMatchObject({
    state: 'answered',
    answered_at: first,
    version: 3,
    sort_key: site.clock.now.toISOString(),
  })
  expect((await history(reference))[0]).toEqual({
    who: anna,
    what: 'state',
    from_value: 'open',
    to_value: 'answered',
    text: null,
  })
})

test.each([
  ['2026-03-02T16:10:00.000Z', '2026-03-02T16:10:00.000Z'],
  ['2026-03-02T09:00:00.000Z', '2026-03-02T15:00:00.000Z'],
  ['2026-03-09T09:00:00.000Z', '2026-03-02T18:00:00.000Z'],
])('an answer by phone at %s counts as one at %s: between the request and now', async (at, expected) => {
  const reference = await submit()
  site.clock.now = new Date('2026-03-02T18:00:00.000Z')
  const answered = { at, by: 'phone' } as const
  await markLead(site.inboxDeps, { ...(await changeOf(reference)), state: 'answered', answered })

  expect((await read(reference)).answered_at).toBe(expected)
  const text = `By phone, ${officeTimeInWords(Date.parse(expected))}`
  expect(await history(reference)).toMatchObject([{ what: 'state', to_value: 'answered', text }])
})

test.each<[LeadState[], string]>([
  [['answered', 'answered'], 'This lead is already marked as answered.'],
  [['spam', 'won'], 'This lead is marked as spam. Mark it as not spam first.'],
  [['spam', 'answered'], 'This lead is marked as spam. Mark it as not spam first.'],
])('marking a lead as %s in succession is rejected with an explanation', async (states, explanation) => {
  const reference = await submit()

  await expect(mark(reference, ...states)).rejects.toMatchObject({ code: 'conflict', message: explanation })
})

test('a follow-up hides a lead until the chosen day, then puts it at the top of the list', async () => {
  const [first, second] = [await submit(), await submit()]
  await followUp(site.inboxDeps, { ...(await changeOf(second)), on: '2026-03-05' })

  expect(await read(second)).toMatchObject({ follow_up_on: '2026-03-05', sort_key: '12026-03-05' })
  expect('12026-03-05' < (await read(first)).sort_key).toBe(true)
  await followUp(site.inboxDeps, { ...(await changeOf(second)), on: null })
  expect(await read(second)).toMatchObject({ follow_up_on: null, sort_key: (await read(second)).due_at })
  expect((await history(second)).map(({ from_value, to_value }) => [from_value, to_value])).toEqual([
    [null, '2026-03-05'],
    ['2026-03-05', null],
  ])
  await mark(second, 'answered')
  await followUp(site.inboxDeps, { ...(await changeOf(second)), on: '2026-03-05' })
  expect(await read(second)).toMatchObject({ state: 'answered', sort_key: '12026-03-05' })
})

test('spam and not spam are verdicts, from which the filter learns', async () => {
  const reference = await submit()
  await mark(reference, 'spam', 'open')

  expect(await read(reference)).toMatchObject({ state: 'open', verdict: 'honest' })
  expect(await history(reference)).toMatchObject([
    { what: 'verdict', to_value: 'spam' },
    { what: 'verdict', to_value: 'honest' },
  ])
})

test.each([
  ['2026-03-01', 'it is in the past'],
  ['2026-03-02', 'it is today'],
  ['2027-03-05', 'it is more than a year away'],
  ['2206-03-05', 'its year is a typo'],
  ['0001-01-01', 'its year is a typo'],
])('on the evening of March 2, 2026, office time, a follow-up on %s is rejected because %s', async (on) => {
  const reference = await submit()
  // In UTC, it is already March 3 if the office is in New York. Only the office's date may count.
  site.clock.now = atOffice('2026-03-02T23:00')

  await expect(followUp(site.inboxDeps, { ...(await changeOf(reference)), on })).rejects.toMatchObject({
    code: 'invalid_input',
  })
})

const keys = [1, 2, 3].map((digit) => `019c0000-0000-7000-8000-00000000000${digit}`)

const noteBy = (who: string, reference: string, key: string, text = 'No answer') =>
  noteLead(site.inboxDeps, { reference, who, text, key })

const undoBy = (who: string, reference: string, key: string) =>
  undoNote(site.inboxDeps, { reference, who, key })

test('notes never cause a conflict, and all of them are kept', async () => {
  const reference = await submit()
  await Promise.all(keys.map((key) => noteBy(bob, reference, key, key)))

  expect(await markLead(site.inboxDeps, { reference, who: anna, version: 0, state: 'won' })).toMatchObject({
    version: 1,
  })
  expect((await history(reference)).map(({ text }) => text).toSorted()).toEqual([...keys, null])
})

test('a note that is sent again with the same key is stored only once', async () => {
  const reference = await submit()
  const [first = '', second = ''] = keys
  await Promise.all([noteBy(anna, reference, first), noteBy(anna, reference, first)])
  await noteBy(anna, reference, second)

  expect((await history(reference)).map(({ text }) => text)).toEqual(['No answer', 'No answer'])
})

test('only the author of a note can undo it, which deletes it', async () => {
  const [reference, other] = [await submit(), await submit()]
  const [key = '', kept = ''] = keys
  await noteBy(anna, reference, key)
  await noteBy(anna, reference, kept, 'Kept')

  await undoBy(bob, reference, key)
  await undoBy(anna, other, key)
  await answerTools(site).answer(other)
  await undoBy(anna, other, answerKey)
  expect([await history(reference), await history(other)]).toMatchObject([{ length: 2 }, { length: 1 }])
  for (const _ of [1, 2]) expect(await undoBy(anna, reference, key)).toEqual({ state: 'open', version: 0 })
  expect(await history(reference)).toMatchObject([{ text: 'Kept' }])
})
