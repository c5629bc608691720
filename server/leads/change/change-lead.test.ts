import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { type LeadState, leadStates } from '#shared/inbox/lead.ts'
import { officeTimeInWords } from '#shared/office-time-in-words.ts'
import { testOnce, useTestApp } from '../../proof/testing/build-test-app.ts'
import { anna, answerKey, answerTools, atOffice, bob, leadTools, refuse } from '../../proof/testing/leads.ts'
import { outboxTools } from '../../proof/testing/outbox.ts'
import { type Change, noteLead, undoChange, undoNote } from './change-lead.ts'
import { followUp, markLead } from './mark-lead.ts'

const site = useTestApp({ mailTo: [] })
const { submit, suspect, read, history } = leadTools(site)
const { answer } = answerTools(site)
const { deliver } = outboxTools(site)

/** The fields that every change needs, with the lead's current version. */
const changeOf = async (reference: string, who = anna): Promise<Change> => ({
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
  site.advanceClock(60_000)
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

test('notes never cause a conflict, and each is kept once, even if it is sent again', async () => {
  const reference = await submit()
  await Promise.all([...keys, ...keys].map((key) => noteBy(bob, reference, key, key)))

  expect(await read(reference)).toMatchObject({ version: 0 })
  expect((await history(reference)).map(({ text }) => text).toSorted()).toEqual(keys)
})

test('only the author of a note can undo it, which deletes it', async () => {
  const [reference, other] = [await submit(), await submit()]
  const [key = '', kept = ''] = keys
  await noteBy(anna, reference, key)
  await noteBy(anna, reference, kept, 'Kept')

  await undoBy(bob, reference, key)
  await undoBy(anna, other, key)
  await answer(other)
  await undoBy(anna, other, answerKey)
  expect([await history(reference), await history(other)]).toMatchObject([{ length: 2 }, { length: 1 }])
  for (const _ of [1, 2]) expect(await undoBy(anna, reference, key)).toEqual({ state: 'open', version: 0 })
  expect(await history(reference)).toMatchObject([{ text: 'Kept' }])
})

const states = Object.fromEntries(
  leadStates.map((state) => [state, (change: Change) => markLead(site.inboxDeps, { ...change, state })]),
)
const changes: Record<string, (change: Change) => Promise<unknown>> = {
  ...states,
  'follow up': (change) => followUp(site.inboxDeps, { ...change, on: '2026-03-09' }),
  'no follow-up': (change) => followUp(site.inboxDeps, { ...change, on: null }),
}
const answerIt = ({ reference }: Change) => answer(reference, { key: randomUUID() })
const failAnswer = async (change: Change) => {
  await answerIt(change)
  site.advanceClock(15_000)
  await deliver(refuse('550 5.1.1 no'))
}
const followUps = ['follow up', 'no follow-up']
const fromOpen = ['answered', 'won', 'lost', 'spam', ...followUps]

/**
 * Each entry has the name of a starting state, the steps that lead to it, and the changes that are
 * possible from there.
 */
const starts: [string, ((change: Change) => Promise<unknown>)[], string[]][] = [
  ['new', [], fromOpen],
  ['with a follow-up', [followUpOn('2026-03-05')], fromOpen],
  ['with a failed answer', [failAnswer], fromOpen],
  ['with a reply', [reply], fromOpen],
  ['suspected spam', [markSuspect], ['open', ...fromOpen]],
  ['suspected spam with a follow-up', [markSuspect, followUpOn('2026-03-05')], ['open', ...fromOpen]],
  ['answered', [by('answered')], ['open', 'won', 'lost', 'spam', ...followUps]],
  [
    'answered with a follow-up',
    [answerIt, followUpOn('2026-03-05')],
    ['open', 'won', 'lost', 'spam', ...followUps],
  ],
  [
    'marked as won, which removed its follow-up',
    [followUpOn('2026-03-05'), by('won')],
    ['open', 'answered', 'lost', 'spam'],
  ],
  ['lost', [by('lost')], ['open', 'answered', 'won', 'spam']],
  ['reopened', [by('won'), by('open')], fromOpen],
  ['spam', [by('answered'), by('spam')], ['open']],
  ['suspected and marked as spam', [markSuspect, by('spam')], ['open']],
  ['not spam', [markSuspect, by('open')], fromOpen],
]

function by(name: string) {
  return async (change: Change) => changes[name]?.(change)
}
function followUpOn(on: string) {
  return (change: Change) => followUp(site.inboxDeps, { ...change, on })
}
async function reply({ reference }: Change) {
  const replied_at = site.clock.now.toISOString()
  await site.db.updateTable('leads').set({ replied_at }).where('reference', '=', reference).execute()
}
function markSuspect({ reference }: Change) {
  return suspect(reference)
}

const submitWith = async (steps: (typeof starts)[number][1]) => {
  const reference = await submit()
  for (const step of steps) {
    await step(await changeOf(reference, bob))
    site.advanceClock(60_000)
  }
  return reference
}
const columns = async (reference: string) => {
  const { version: _, ...row } = await read(reference)
  return row
}
const conflict = { code: 'conflict' }

testOnce.each(starts)(
  'a change to a lead (%s) can be undone, but only once',
  async (_what, steps, possible) => {
    const reference = await submitWith(steps)
    const before = await columns(reference)
    const done: string[] = []
    for (const [name, change] of Object.entries(changes)) {
      const [result] = await Promise.allSettled([change(await changeOf(reference))])
      if (result.status === 'rejected') expect(result.reason).toMatchObject(conflict)
      else {
        done.push(name)
        site.advanceClock(60_000)
        await undoChange(site.inboxDeps, await changeOf(reference, bob))
        await expect(undoChange(site.inboxDeps, await changeOf(reference))).rejects.toMatchObject(conflict)
      }
      expect([name, await columns(reference)]).toEqual([name, before])
    }
    expect(done.toSorted()).toEqual(possible.toSorted())
  },
)
