import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import type { LeadResult } from '#shared/inbox/lead.ts'
import { leadState } from '../../inbox/export-leads.ts'
import { useTestApp } from '../../proof/testing/build-test-app.ts'
import { anna, answerKey, answerTools, bob, leadTools, refuse } from '../../proof/testing/leads.ts'
import { mailboxTools } from '../../proof/testing/mailbox.ts'
import { outboxTools } from '../../proof/testing/outbox.ts'
import { openBrowser, signIn } from '../../proof/testing/owner-browser.ts'
import { readFigures } from '../lists/figures.ts'
import { listLeads } from '../lists/lists.ts'
import { searchLeads } from '../lists/search-leads.ts'
import { undoChange } from './change-lead.ts'
import { followUp, markLead, markResult, nothingToAnswer } from './mark-lead.ts'

const site = useTestApp({ mailTo: [anna, bob], sendsReceipts: true })
const { submit, suspect, read, history } = leadTools(site)
const { answer, undo } = answerTools(site)
const { takeIn, answered } = mailboxTools(site)
const { deliver } = outboxTools(site)

const at = '2026-03-05T14:00:00.000Z'
const changeOf = async (reference: string, who = anna) => ({
  reference,
  who,
  version: (await read(reference)).version,
})
const decide = async (reference: string, result: LeadResult | null) =>
  markResult(site.inboxDeps, { ...(await changeOf(reference)), result })
const postpone = async (reference: string) => followUp(site.inboxDeps, { ...(await changeOf(reference)), at })
const nothing = async (reference: string, who = anna) =>
  nothingToAnswer(site.inboxDeps, await changeOf(reference, who))
const ask = () => submit({ email: 'ada@example.com' })
/** The person writes about a lead. */
const write = async (reference: string) => {
  site.advanceClock(60_000)
  await takeIn({ subject: reference })
}
/** Sends the answers that can no longer be undone. The mail server refuses them. */
const failAnswers = async () => {
  site.advanceClock(15_000)
  await deliver(refuse('550 5.1.1 no'))
}

test.each(['won', 'lost'] as const)(
  'a %s customer who writes again is open, and keeps the result everywhere',
  async (result) => {
    const { reference } = await answered()
    await decide(reference, result)
    await write(reference)

    expect(await read(reference)).toMatchObject({ state: 'open', result })
    for (const view of ['open', result] as const) {
      const { leads } = await listLeads(site.db, { view, after: undefined, now: site.clock.now })
      expect(leads).toMatchObject([{ reference, state: 'open', result, unread: 1 }])
    }
    expect((await searchLeads(site.db, { search: 'ada' })).leads).toMatchObject([{ reference, result }])
    const { plans, weeks } = await readFigures(site.db, site.clock.now)
    expect(plans).toMatchObject([{ leads: 1, [result]: 1 }])
    expect(weeks.at(-1)).toMatchObject({ answered: 1 })
    const lead = { ...(await read(reference)), emails: [], events: [] }
    expect(leadState(lead as never)).toBe(`open, ${result}`)
    await answer(reference, { key: crypto.randomUUID() })
    expect(await read(reference)).toMatchObject({ state: 'answered', result, list: result })
  },
)

test('only an owner changes a result: it is in the history, can be taken back, and ends with spam', async () => {
  const reference = await submit()
  await decide(reference, 'won')
  await decide(reference, 'lost')
  await decide(reference, null)
  expect(await read(reference)).toMatchObject({ state: 'answered', result: null })
  const message = 'This lead is already marked as neither won nor lost.'
  await expect(decide(reference, null)).rejects.toMatchObject({ message })
  await decide(reference, 'won')
  await markLead(site.inboxDeps, { ...(await changeOf(reference)), state: 'spam' })
  expect(await read(reference)).toMatchObject({ state: 'spam', result: null })
  await expect(decide(reference, 'won')).rejects.toMatchObject({ code: 'conflict' })
  await undoChange(site.inboxDeps, await changeOf(reference))

  expect(await read(reference)).toMatchObject({ state: 'answered', result: 'won' })
  const results = (await history(reference)).filter(({ what }) => what === 'result')
  expect(results.map(({ from_value, to_value }) => [from_value, to_value])).toEqual([
    [null, 'won'],
    ['won', 'lost'],
    ['lost', null],
    [null, 'won'],
  ])
})

test('an answer outside the inbox ends a follow-up also if the lead was answered before', async () => {
  const { reference } = await answered()
  const call = async () => {
    const change = { ...(await changeOf(reference)), state: 'answered' } as const
    return markLead(site.inboxDeps, {
      ...change,
      answered: { at: site.clock.now.toISOString(), by: 'phone' },
    })
  }
  await expect(call()).rejects.toMatchObject({ code: 'conflict' })
  await postpone(reference)
  const { answered_at } = await read(reference)
  await call()

  expect(await read(reference)).toMatchObject({ state: 'answered', follow_up_at: null, answered_at })
})

test('an answer outside the inbox that an owner takes back later was none', async () => {
  const { reference } = await answered()
  const request = await submit()
  const first = (await read(reference)).answered_at
  await write(reference)
  for (const one of [reference, request])
    for (const state of ['answered', 'open'] as const)
      await markLead(site.inboxDeps, { ...(await changeOf(one)), state })

  expect(await read(reference)).toMatchObject({ state: 'open', answered_at: first })
  expect(await read(request)).toMatchObject({ state: 'open', answered_at: null })
})

test.each<[string, (reference: string) => Promise<unknown>]>([
  ['a follow-up', postpone],
  [
    'a change that was undone',
    async (reference) => {
      await markLead(site.inboxDeps, { ...(await changeOf(reference)), state: 'open' })
      await undoChange(site.inboxDeps, await changeOf(reference))
    },
  ],
])('so it was if %s came between', async (_what, change) => {
  const reference = await submit()
  await markLead(site.inboxDeps, { ...(await changeOf(reference)), state: 'answered' })
  await change(reference)
  await markLead(site.inboxDeps, { ...(await changeOf(reference)), state: 'open' })

  expect(await read(reference)).toMatchObject({ state: 'open', answered_at: null })
})

const waits = { state: 'open', list: 'open', replied_at: null, answered_at: null }
test.each<[string, () => Promise<string>, object]>([
  [
    'after thanks for an answer',
    async () => {
      const { reference } = await answered()
      await write(reference)
      return reference
    },
    { state: 'answered', list: 'answered', replied_at: null, follow_up_at: null },
  ],
  [
    'after two messages about a lead that was postponed',
    async () => {
      const { reference } = await answered()
      await postpone(reference)
      await write(reference)
      await write(reference)
      return reference
    },
    { state: 'answered', list: 'open', replied_at: null, follow_up_at: at },
  ],
  [
    'if it was postponed again since',
    async () => {
      const { reference } = await answered()
      await write(reference)
      await postpone(reference)
      return reference
    },
    { state: 'answered', list: 'open', replied_at: null, follow_up_at: at },
  ],
  [
    'after thanks for a question that was postponed',
    async () => {
      const { reference } = await answered()
      await write(reference)
      await postpone(reference)
      await write(reference)
      return reference
    },
    { state: 'answered', list: 'open', replied_at: null, follow_up_at: at },
  ],
  [
    'of a won customer',
    async () => {
      const { reference } = await answered()
      await decide(reference, 'won')
      await write(reference)
      return reference
    },
    { state: 'answered', result: 'won', list: 'won', replied_at: null },
  ],
  [
    'after a message about a request that nobody has answered, which still waits',
    async () => {
      const reference = await ask()
      await write(reference)
      return reference
    },
    { ...waits, follow_up_at: null, due_at: '2026-03-02T19:00:00.000Z' },
  ],
  [
    'after a message about a postponed request that nobody has answered',
    async () => {
      const reference = await ask()
      await postpone(reference)
      await write(reference)
      return reference
    },
    { ...waits, follow_up_at: at },
  ],
  [
    'after a message about a lead whose answer did not arrive',
    async () => {
      const reference = await ask()
      await answer(reference)
      await failAnswers()
      await write(reference)
      return reference
    },
    { ...waits, trouble: expect.stringContaining('550') },
  ],
  [
    'after a message that came before an answer failed',
    async () => {
      const reference = await ask()
      await answer(reference)
      await write(reference)
      await deliver(refuse('550 5.1.1 no'))
      return reference
    },
    { ...waits, trouble: expect.stringContaining('550') },
  ],
  [
    'after a message that came before an answer which failed',
    async () => {
      const reference = await ask()
      await write(reference)
      await answer(reference)
      await failAnswers()
      return reference
    },
    { ...waits, trouble: expect.stringContaining('550') },
  ],
  [
    'after a message that came before two answers which failed',
    async () => {
      const reference = await ask()
      await write(reference)
      for (const key of [answerKey, randomUUID()]) await answer(reference, { key })
      await failAnswers()
      return reference
    },
    { ...waits, trouble: expect.stringContaining('550') },
  ],
  [
    'after thanks to which an answer failed',
    async () => {
      const { reference } = await answered()
      await write(reference)
      await answer(reference)
      await failAnswers()
      return reference
    },
    { state: 'answered', list: 'answered', trouble: null },
  ],
  [
    'after a message that came before the first answer was undone',
    async () => {
      const reference = await ask()
      await answer(reference)
      await write(reference)
      await undo(reference)
      return reference
    },
    waits,
  ],
  ['to a request itself', ask, { state: 'answered', list: 'answered', answered_at: null, trouble: null }],
  [
    'after a message of which an earlier version has not stored what it changed',
    async () => {
      const reference = await ask()
      await write(reference)
      await site.db.updateTable('lead_events').set({ before: null }).execute()
      return reference
    },
    waits,
  ],
])(
  'if there is nothing to answer %s, the lead is what it was before, which can be undone',
  async (_when, prepare, expected) => {
    const reference = await prepare()
    const before = await read(reference)

    await nothing(reference)

    expect(await read(reference)).toMatchObject(expected)
    expect((await history(reference)).at(-1)).toMatchObject({ who: anna, what: 'nothing_to_answer' })
    await undoChange(site.inboxDeps, await changeOf(reference, bob))
    expect(await read(reference)).toEqual({ ...before, version: before.version + 2 })
  },
)

test('a message after that starts a new promise, and an owner is told', async () => {
  const { reference, id } = await answered()
  await write(reference)
  await nothing(reference)
  await site.db.deleteFrom('outbox').execute()
  site.advanceClock(24 * 60 * 60_000)
  await write(reference)

  const lead = await read(reference)
  expect(lead).toMatchObject({ state: 'open', replied_at: site.clock.now.toISOString() })
  expect(lead.due_at > site.clock.now.toISOString()).toBe(true)
  const undone = undoChange(site.inboxDeps, await changeOf(reference))
  await expect(undone).rejects.toMatchObject({ message: 'There is nothing to undo.' })
  const notices = site.db.selectFrom('outbox').select('recipient').where('lead_id', '=', id)
  expect(await notices.execute()).toHaveLength(2)
})

test('if nobody waits, or it may be spam, "nothing to answer" is rejected', async () => {
  const { reference: done } = await answered()
  const [suspected, spam] = [await submit(), await submit()]
  await suspect(suspected)
  await markLead(site.inboxDeps, { ...(await changeOf(spam)), state: 'spam' })

  for (const reference of [done, suspected, spam])
    await expect(nothing(reference)).rejects.toMatchObject({
      code: 'conflict',
      message: 'Nobody waits for an answer.',
    })
})

test('of two owners who say at once that there is nothing to answer, one has said so', async () => {
  const { reference } = await answered()
  await write(reference)
  const change = await changeOf(reference)

  const said = await Promise.allSettled(
    [anna, bob].map((who) => nothingToAnswer(site.inboxDeps, { ...change, who })),
  )

  expect(said.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
  expect((await history(reference)).filter(({ what }) => what === 'nothing_to_answer')).toHaveLength(1)
})

test('an owner says in one request that there is nothing to answer to several leads, and undoes it', async () => {
  const { reference: thanks } = await answered()
  await write(thanks)
  const request = await submit()
  const { post } = await signIn(site, openBrowser(site.app), anna)
  const leads = [await changeOf(thanks), await changeOf(request)].map(({ reference, version }) => ({
    reference,
    version,
  }))

  const { body } = await post('/leads/nothing-to-answer', { leads })

  expect(body).toMatchObject({ changed: [{ state: 'answered' }, { state: 'answered' }], left: [] })
  await post('/leads/undo', { leads: body.changed })
  expect([await read(thanks), await read(request)]).toMatchObject([{ state: 'open' }, { state: 'open' }])
})

test('after a message that needs no answer, a request that nobody has answered is due when it was, also after an undo', async () => {
  const reference = await ask()
  const later = new Date(site.clock.now.getTime() + 3 * 60 * 60_000).toISOString()
  await followUp(site.inboxDeps, { ...(await changeOf(reference)), at: later })
  const { due_at } = await read(reference)
  site.advanceClock(2 * 60 * 60_000)
  await write(reference)
  const moved = (await read(reference)).due_at
  expect(moved).not.toBe(due_at)

  await nothing(reference)
  expect(await read(reference)).toMatchObject({ state: 'open', follow_up_at: later, due_at })

  await undoChange(site.inboxDeps, await changeOf(reference))
  expect((await read(reference)).due_at).toBe(moved)
})
