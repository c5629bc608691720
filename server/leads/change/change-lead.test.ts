import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { type LeadResult, type LeadState, leadResults, leadStates } from '#shared/inbox/lead.ts'
import { officeTimeInWords } from '#shared/office-time-in-words.ts'
import { testOnce, useTestApp } from '../../proof/testing/build-test-app.ts'
import { anna, answerKey, answerTools, atOffice, bob, leadTools, refuse } from '../../proof/testing/leads.ts'
import { outboxTools } from '../../proof/testing/outbox.ts'
import { type Change, noteLead, undoChange, undoNote } from './change-lead.ts'
import { followUp, markLead, markResult, nothingToAnswer } from './mark-lead.ts'

const site = useTestApp({ mailTo: [] })
const { submit, suspect, read, history } = leadTools(site)
const { answer } = answerTools(site)
const { deliver } = outboxTools(site)

const at = '2026-03-05T14:00:00.000Z'

/** The fields that every change needs, with the lead's current version. */
const changeOf = async (reference: string, who = anna): Promise<Change> => ({
  reference,
  who,
  version: (await read(reference)).version,
})

const mark = async (reference: string, ...states: LeadState[]) => {
  for (const state of states) await markLead(site.inboxDeps, { ...(await changeOf(reference)), state })
}

const decide = async (reference: string, result: LeadResult | null) =>
  markResult(site.inboxDeps, { ...(await changeOf(reference)), result })

test('marking a lead as answered records who did it, and when it was first answered', async () => {
  const reference = await submit()
  await mark(reference, 'answered')
  const first = site.clock.now.toISOString()
  site.advanceClock(60_000)
  await decide(reference, 'won')
  await mark(reference, 'open', 'answered')

  expect(await read(reference)).toMatchObject({
    state: 'answered',
    answered_at: first,
    result: 'won',
    version: 4,
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
  const note = 'She wants a shop.'
  const answered = { at, by: 'phone', note } as const
  await markLead(site.inboxDeps, { ...(await changeOf(reference)), state: 'answered', answered })

  expect((await read(reference)).answered_at).toBe(expected)
  const text = `By phone, ${officeTimeInWords(Date.parse(expected))}. ${note}`
  expect(await history(reference)).toMatchObject([{ what: 'state', to_value: 'answered', text }])
})

test('a follow-up hides a lead until the chosen time, then puts it at the top of the list, and says why', async () => {
  const [first, second] = [await submit(), await submit()]
  const follow = async (time: string | null, note?: string) =>
    followUp(site.inboxDeps, { ...(await changeOf(second)), at: time, note })
  await follow('2026-03-05T09:00:00-05:00', 'No answer')

  expect(await read(second)).toMatchObject({ follow_up_at: at, sort_key: `1${at}` })
  expect(`1${at}` < (await read(first)).sort_key).toBe(true)
  await follow(null)
  expect(await read(second)).toMatchObject({ follow_up_at: null, sort_key: (await read(second)).due_at })
  expect(await history(second)).toMatchObject([
    { from_value: null, to_value: at, text: 'No answer' },
    { from_value: at, to_value: null, text: null },
  ])
  await mark(second, 'answered')
  await follow(at)
  expect(await read(second)).toMatchObject({ state: 'answered', sort_key: `1${at}` })
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
  ['2026-03-02T14:59', 'it is in the past'],
  ['2026-03-02T15:00', 'it is now'],
  ['2027-03-05T15:00', 'it is more than a year away'],
  ['2206-03-05T15:00', 'its year is a typo'],
  ['0001-01-01T15:00', 'its year is a typo'],
])('at 3:00 pm on March 2, 2026, a follow-up at %s is rejected because %s', async (wall) => {
  const reference = await submit()
  site.clock.now = atOffice('2026-03-02T15:00')
  const time = atOffice(wall).toISOString()

  await expect(followUp(site.inboxDeps, { ...(await changeOf(reference)), at: time })).rejects.toMatchObject({
    code: 'invalid_input',
  })
  const inAYear = atOffice('2027-03-02T15:00').toISOString()
  await followUp(site.inboxDeps, { ...(await changeOf(reference)), at: inAYear })
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
const results = Object.fromEntries(
  leadResults.map((result) => [
    result,
    (change: Change) => markResult(site.inboxDeps, { ...change, result }),
  ]),
)
const changes: Record<string, (change: Change) => Promise<unknown>> = {
  ...states,
  ...results,
  undecided: (change) => markResult(site.inboxDeps, { ...change, result: null }),
  'nothing to answer': (change) => nothingToAnswer(site.inboxDeps, change),
  'follow up': (change) => followUp(site.inboxDeps, { ...change, at: '2026-03-09T14:00:00.000Z' }),
  'no follow-up': (change) => followUp(site.inboxDeps, { ...change, at: null }),
}
const answerIt = ({ reference }: Change) => answer(reference, { key: randomUUID() })
const failAnswer = async (change: Change) => {
  await answerIt(change)
  site.advanceClock(15_000)
  await deliver(refuse('550 5.1.1 no'))
}
const followUps = ['follow up', 'no follow-up']
const fromSuspect = ['answered', 'won', 'lost', 'spam', ...followUps]
const fromOpen = [...fromSuspect, 'nothing to answer']

/**
 * Each entry has the name of a starting state, the steps that lead to it, and the changes that are
 * possible from there.
 */
const starts: [string, ((change: Change) => Promise<unknown>)[], string[]][] = [
  ['new', [], fromOpen],
  ['with a follow-up', [followUpThen], fromOpen],
  ['with a failed answer', [failAnswer], fromOpen],
  ['with a reply', [reply], fromOpen],
  ['suspected spam', [markSuspect], ['open', ...fromSuspect]],
  ['suspected spam with a follow-up', [markSuspect, followUpThen], ['open', ...fromSuspect]],
  ['answered', [by('answered')], ['open', 'won', 'lost', 'spam', ...followUps]],
  ['answered with a follow-up', [answerIt, followUpThen], ['open', 'won', 'lost', 'spam', ...followUps]],
  [
    'marked as won, which removed its follow-up',
    [followUpThen, by('won')],
    ['open', 'lost', 'undecided', 'spam', ...followUps],
  ],
  ['lost', [by('lost')], ['open', 'won', 'undecided', 'spam', ...followUps]],
  ['reopened', [by('answered'), by('open')], fromOpen],
  [
    'won and reopened',
    [by('won'), by('open')],
    ['answered', 'lost', 'undecided', 'spam', 'nothing to answer', ...followUps],
  ],
  ['spam', [by('answered'), by('spam')], ['open']],
  ['suspected and marked as spam', [markSuspect, by('spam')], ['open']],
  ['not spam', [markSuspect, by('open')], fromOpen],
]

function by(name: string) {
  return async (change: Change) => changes[name]?.(change)
}
function followUpThen(change: Change) {
  return followUp(site.inboxDeps, { ...change, at })
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
