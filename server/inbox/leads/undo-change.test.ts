import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { leadStates } from '#shared/inbox/lead.ts'
import { testOnce, useTestApp } from '../../proof/testing/build-test-app.ts'
import { anna, bob, leadTools, refusal } from '../../proof/testing/leads.ts'
import { outboxTools } from '../../proof/testing/outbox.ts'
import { answerLead } from './answer-lead.ts'
import { type Change, followUp, markLead, undoChange } from './change-lead.ts'

const site = useTestApp({ mailTo: [] })
const { submit, suspect, read, history } = leadTools(site)
const { deliver } = outboxTools(site)
const deps = () => site.inboxDeps

const states = Object.fromEntries(
  leadStates.map((state) => [state, (change: Change) => markLead(deps(), { ...change, state })]),
)
const changes: Record<string, (change: Change) => Promise<unknown>> = {
  ...states,
  'follow up': (change) => followUp(deps(), { ...change, on: '2026-03-09' }),
  'no follow-up': (change) => followUp(deps(), { ...change, on: null }),
}
const answer = (change: Change) =>
  answerLead(deps(), { ...change, key: randomUUID(), base: null, text: 'Yes' })
const failAnswer = async (change: Change) => {
  await answer(change)
  site.advanceClock(15_000)
  await deliver(async () => {
    throw refusal('550 5.1.1 no')
  })
}
const followUps = ['follow up', 'no follow-up']
const fromOpen = ['answered', 'won', 'lost', 'spam', ...followUps]

/** Each entry has the name of a starting state, the steps that lead to it, and the changes that are possible from there. */
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
    [answer, followUpOn('2026-03-05')],
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
  return (change: Change) => followUp(deps(), { ...change, on })
}
async function reply({ reference }: Change) {
  const replied_at = site.clock.now.toISOString()
  await site.db.updateTable('leads').set({ replied_at }).where('reference', '=', reference).execute()
}
function markSuspect({ reference }: Change) {
  return suspect(reference)
}

const changeOf = async (reference: string, who = anna): Promise<Change> => ({
  reference,
  who,
  version: (await read(reference)).version,
})
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
        await undoChange(deps(), await changeOf(reference, bob))
        await expect(undoChange(deps(), await changeOf(reference))).rejects.toMatchObject(conflict)
      }
      expect([name, await columns(reference)]).toEqual([name, before])
    }
    expect(done.toSorted()).toEqual(possible.toSorted())
  },
)

test('if another owner has changed the lead in the meantime, an undo is rejected with the current state', async () => {
  const reference = await submit()
  await markLead(deps(), { reference, version: 0, who: anna, state: 'won' })
  await markLead(deps(), { reference, version: 1, who: bob, state: 'lost' })

  await expect(undoChange(deps(), { reference, version: 1, who: anna })).rejects.toMatchObject({
    code: 'conflict',
    message: 'This lead has changed. Look at it again before you go on.',
    facts: { current: { state: 'lost', version: 2 } },
  })
  expect(await read(reference)).toMatchObject({ state: 'lost', version: 2 })
})

test.each(['note', 'seen'] as const)(
  'a %s entry does not prevent an undo, which the history shows',
  async (what) => {
    const reference = await submit()
    await markLead(deps(), { reference, version: 0, who: anna, state: 'won' })
    const { id: lead_id } = await read(reference)
    await site.db.insertInto('lead_events').values({ lead_id, at: '', who: bob, what, text: 'x' }).execute()

    await undoChange(deps(), { reference, version: 1, who: bob })

    const undone = { who: bob, what: 'undone', from_value: 'won', to_value: 'open' }
    expect((await history(reference)).at(-1)).toMatchObject(undone)
  },
)
