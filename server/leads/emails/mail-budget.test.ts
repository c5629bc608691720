import type { KyselyPlugin } from 'kysely'
import { expect, test } from 'vitest'
import { hours } from '#facts/hours.ts'
import { CODES_A_DAY } from '#shared/inbox/api.ts'
import { testOnce, useTestApp } from '../../proof/testing/build-test-app.ts'
import { storeLead, storeLeads } from '../../proof/testing/leads.ts'
import { mailboxTools } from '../../proof/testing/mailbox.ts'
import { OWNERS } from '../../proof/testing/reminder-tools.ts'
import type { Lead } from '../lead-store.ts'
import { hasNoticeRoom, LIST_EVERY_MS, mailBudget } from './mail-budget.ts'

const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS

const site = useTestApp({ mailTo: OWNERS, emailsADay: 300 })

testOnce.each([
  [150, 1],
  [300, 2],
  [300, 3],
  [1000, 10],
  [10_000, 1],
])('of %i emails with %i owners, strangers leave some, and at most 200 are receipts', (emails, owners) => {
  const { noticed, receipts } = mailBudget(emails, owners)
  const officeHours = Number.parseInt(hours.closes, 10) - Number.parseInt(hours.opens, 10)
  const lists = (DAY_MS / LIST_EVERY_MS) * owners

  const strangers = noticed * owners + receipts + lists + CODES_A_DAY + officeHours * owners

  expect(strangers).toBeLessThan(emails * 0.9)
  expect(receipts).toBeLessThanOrEqual(200)
})

const notice = (leadId: string) => {
  const at = site.clock.now.toISOString()
  const times = { queued_at: at, due_at: at, sent_at: at }
  const kind = 'owner_notice' as const
  return { lead_id: leadId, kind, recipient: 'a@agency.example', priority: 1, message_id: '<n>', ...times }
}

/** Sends notices, each about another lead of the network. */
async function sendNotices(emails: number, client: string | null = null) {
  const leads = await storeLeads(site.db, ...Array(emails).fill({ client }))
  await site.db
    .insertInto('outbox')
    .values(leads.map(({ id }) => ({ ...notice(id), state: 'sent' })))
    .execute()
}

type Choice = {
  emailsADay?: number
  about?: 'request' | 'reply'
  isAnswered?: boolean
  isSuspect?: boolean
  client?: string | null
}
/**
 * Tells two owners about `people`, if there is room. Returns how many emails and queries that took.
 */
async function tell(
  people: number,
  { emailsADay = 300, about = 'request', isAnswered = false, isSuspect = false, client = null }: Choice = {},
) {
  let queries = 0
  const counting: KyselyPlugin = {
    transformQuery({ node }) {
      queries++
      return node
    },
    transformResult: async ({ result }) => result,
  }
  const db = site.db.withPlugin(counting)
  const deps = { db, budget: mailBudget(emailsADay, 2), now: () => site.clock.now }
  const answered_at = isAnswered ? site.clock.now.toISOString() : null
  const leads = await storeLeads(site.db, ...Array(people).fill({ client, answered_at }))
  let emails = 0
  for (const { id } of leads.flatMap((lead) => [lead, lead])) {
    if (!(await hasNoticeRoom(deps, { id, spam: { isSuspect } } as Lead, about))) continue
    await site.db
      .insertInto('outbox')
      .values({ ...notice(id), state: 'sent' })
      .execute()
    emails++
  }
  return { emails, queries }
}

test.each<[string, Choice, number]>([
  ['requests', {}, 74],
  ['suspects', { isSuspect: true }, 30],
  ['replies before an answer', { about: 'reply' }, 16],
  ['replies of suspects before an answer', { about: 'reply', isSuspect: true }, 16],
  ['replies after an answer', { about: 'reply', isAnswered: true }, 52],
  ['replies of a network before an answer', { about: 'reply', client: 'one' }, 8],
  ['replies of a network after an answer', { about: 'reply', isAnswered: true, client: 'one' }, 52],
])('of 300 emails, two owners get so many about %s: %j, %i', async (_what, choice, expected) => {
  expect((await tell(50, choice)).emails).toBe(expected)
})

test('a day after the room was used up, there is room again', async () => {
  await sendNotices(74)
  const now = () => site.clock.now
  const deps = { db: site.db, budget: mailBudget(300, 2), now }
  const { id } = await storeLead(site.db)
  const take = () => hasNoticeRoom(deps, { id, spam: { isSuspect: false } } as Lead, 'request')
  expect(await take()).toBe(false)

  site.advanceClock(DAY_MS)

  expect(await take()).toBe(true)
})

test('the notices of the last day count, whatever they are about, but no other emails, and none from a day ago or from the future', async () => {
  await sendNotices(30)
  site.advanceClock(DAY_MS)
  await sendNotices(11)
  await site.db.updateTable('outbox').set({ kind: 'reminder' }).where('id', '>', 40).execute()
  expect((await tell(50)).emails).toBe(64)

  site.advanceClock(-MINUTE_MS)
  expect((await tell(50)).emails).toBe(44)
})

test('one network gets four notices a day, which leaves the others to everybody else', async () => {
  expect((await tell(50, { client: 'flood' })).emails).toBe(8)
  expect((await tell(50, { client: 'other' })).emails).toBe(8)
  expect((await tell(50)).emails).toBe(58)

  site.advanceClock(DAY_MS)
  expect((await tell(50, { client: 'flood' })).emails).toBe(8)
})

test('nothing is counted if any number may be sent', async () => {
  expect(await tell(50, { emailsADay: 0 })).toEqual({ emails: 100, queries: 0 })
})

test('two replicas that send at the same time exceed the budget by a tenth at most', async () => {
  await sendNotices(20)

  const [one, other] = await Promise.all([tell(50), tell(50)])

  expect(one.emails + other.emails).toBeGreaterThanOrEqual(54)
  expect(one.emails + other.emails).toBeLessThan(54 * 1.1)
})

const { deliver, takeIn, answered } = mailboxTools(site)

test('a notice tells of a reply to an answer when there is no room for one before an answer', async () => {
  const { answers } = await answered()
  await sendNotices(44)
  expect((await tell(1, { about: 'reply' })).emails).toBe(0)

  await takeIn({ answers, text: 'Yes, please start.' })
  site.advanceClock(MINUTE_MS)

  expect(new Set((await deliver()).map(({ messageId }) => messageId)).size).toBe(OWNERS.length)
})
