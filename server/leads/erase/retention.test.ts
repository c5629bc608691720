import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Updateable } from 'kysely'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import type { LeadEvent } from '#shared/inbox/lead.ts'
import type { Schema } from '../../database/schema.ts'
import { isOnPostgres, useTestApp } from '../../proof/testing/build-test-app.ts'
import { anna, answerTools, leadTools, storeLeads } from '../../proof/testing/leads.ts'
import { ada, mailboxTools, us } from '../../proof/testing/mailbox.ts'
import { deliverToFiles } from '../../proof/testing/outbox.ts'
import { saveDraft } from '../answers/drafts.ts'
import { countExpiringSoon, createRetention } from './retention.ts'

const DAY_MS = 24 * 60 * 60 * 1000

const site = useTestApp()

const { read: find } = leadTools(site)
const { answer, attach } = answerTools(site)
const { takeIn } = mailboxTools(site)

/** Stores a lead that an owner has answered. */
async function submit(message: string) {
  const { reference } = await site.submit({ message })
  await set(reference, { state: 'answered' })
  return reference
}

async function set(reference: string, values: Updateable<Schema['leads']>) {
  await site.db.updateTable('leads').set(values).where('reference', '=', reference).execute()
}

const messages = async () =>
  (await site.db.selectFrom('leads').select('message').orderBy('id').execute()).map(({ message }) => message)

const log = pino({ enabled: false })

const run = (days = 30, hasInbox = true) =>
  createRetention({
    db: site.db,
    mailDir: join(site.dataDir, 'mail'),
    days,
    hasInbox,
    log,
    now: () => site.clock.now,
    areMessagesRead: async () => true,
  })(new AbortController().signal)

const countExpiring = (rule = { days: 30, hasInbox: true }) =>
  countExpiringSoon(site.db, site.clock.now, rule)

/** Runs retention once a day, like the server. */
async function runFor(dayCount: number, days = 30, hasInbox = true) {
  for (let day = 0; day < dayCount; day++) {
    site.advanceClock(DAY_MS)
    await run(days, hasInbox)
  }
}

test('leads that are too old are deleted with their emails, delivery log and .eml files, and leave nothing in the WAL', async () => {
  await attach(await submit('old'), 'old.pdf', Buffer.alloc(600_000))
  // More than are deleted in one transaction.
  const created_at = site.clock.now.toISOString()
  await storeLeads(site.db, ...Array(60).fill({ state: 'answered', created_at }))
  await deliverToFiles(site)
  await runFor(20)
  await submit('young')
  await deliverToFiles(site)
  await runFor(10)
  expect(await messages()).toHaveLength(62)

  site.advanceClock(DAY_MS)
  await run()

  expect(await messages()).toEqual(['young'])
  expect(await site.db.selectFrom('outbox_attempts').selectAll().execute()).toHaveLength(1)
  expect(await site.db.selectFrom('file_parts').select('number').execute()).toEqual([])
  expect(readdirSync(join(site.dataDir, 'mail'))).toEqual([])
  if (!isOnPostgres) expect(statSync(join(site.dataDir, 'leads.db-wal')).size).toBe(0)
})

test('an answer that an owner has begun in the last week keeps its lead, with its text and files', async () => {
  const [text, file] = [await submit('text'), await submit('file')]
  await submit('old')
  await deliverToFiles(site)
  await runFor(30)
  const { version } = await find(text)
  await saveDraft(site.inboxDeps, { reference: text, who: anna, text: 'Hello again', base: null, version })
  await attach(file, 'plan.pdf', Buffer.alloc(9))

  await runFor(7)
  expect(await messages()).toEqual(['text', 'file'])
  await runFor(1)
  expect(await messages()).toEqual([])
})

type Outbox = Updateable<Schema['outbox']>
test.each<[Outbox['kind'], Outbox['state'], boolean]>([
  ['owner_notice', 'failed', true],
  ['owner_notice', 'sending', true],
  ['answer', 'queued', true],
  ['answer', 'failed', false],
  ['visitor_receipt', 'failed', false],
  ['notice_list', 'queued', true],
  ['notice_list', 'sending', true],
  ['notice_list', 'failed', true],
  ['notice_list', 'sent', false],
])('of leads that are too old, one whose %s is %s is kept: %s', async (kind, state, isKept) => {
  const reference = await submit('old')
  await submit('old, too')
  await deliverToFiles(site)
  const { id } = await find(reference)
  const ofLead = kind === 'notice_list' && {
    lead_id: null,
    content: JSON.stringify({ references: [reference] }),
  }
  const email = site.db.updateTable('outbox').where('lead_id', '=', id)
  await email.set({ kind, state, ...ofLead }).execute()

  await runFor(31)

  expect(await messages()).toEqual(isKept ? ['old'] : [])
})

test('nothing is deleted in the first week, or in the week after RETENTION_DAYS changes', async () => {
  await submit('old')
  await deliverToFiles(site)
  site.advanceClock(365 * DAY_MS)

  await run()
  await runFor(6)
  await runFor(6, 3)
  await run(30)
  await runFor(6)
  expect(await messages()).toEqual(['old'])

  await runFor(1)
  expect(await messages()).toEqual([])
})

test('only leads that will be deleted within two days are announced', async () => {
  await submit('old')
  await deliverToFiles(site)
  const soon = (days = 30) => countExpiring({ days, hasInbox: true })

  await runFor(28)
  expect(await soon()).toBe(0)
  site.advanceClock(1)
  expect(await soon()).toBe(1)
  expect(await soon(3)).toBe(0)
  expect(await soon(0)).toBe(0)
})

test('what will be deleted is also announced by an email that has waited for the mail server', async () => {
  await submit('old')
  await deliverToFiles(site)
  await runFor(29)
  const queuedAt = site.clock.now
  site.advanceClock(DAY_MS / 4)
  await run()

  expect(await countExpiringSoon(site.db, queuedAt, { days: 30, hasInbox: true })).toBe(1)
})

test('a request that is answered only once it is old stays for a week more, and is then announced', async () => {
  const { reference } = await site.submit({ message: 'old' })
  await deliverToFiles(site)
  await runFor(40)
  await answer(reference)
  site.advanceClock(60_000)
  await deliverToFiles(site)
  await run()

  await runFor(4)
  expect([await messages(), await countExpiring()]).toEqual([['old'], 0])
  await runFor(2)
  expect([await messages(), await countExpiring()]).toEqual([['old'], 1])
  await runFor(1)
  expect(await messages()).toEqual([])
})

test('so does one whose answer was in a mailbox that could not be read', async () => {
  const { reference } = await site.submit({ message: 'old', email: ada })
  await deliverToFiles(site)
  await runFor(31)
  const answeredAt = site.clock.now.toISOString()
  await runFor(9)
  await takeIn({ from: us, to: ada, subject: reference, receivedAt: answeredAt }, 'sent')

  await runFor(6)
  expect([await messages(), await countExpiring()]).toEqual([['old'], 1])
  await runFor(2)
  expect(await messages()).toEqual([])
})

/** Adds to the history of a lead. */
async function event(reference: string, what: LeadEvent['what']) {
  const { id } = await find(reference)
  const row = { lead_id: id, at: site.clock.now.toISOString(), who: 'ada@example.com', what }
  await site.db.insertInto('lead_events').values(row).execute()
}

test.each<LeadEvent['what']>(['reply', 'automatic_reply'])(
  'an answered lead is kept for as long as if it had come in with its newest message (%s)',
  async (what) => {
    const reference = await submit('old')
    await deliverToFiles(site)
    await runFor(29)
    await event(reference, what)
    await event(reference, 'answered_by_mail')

    await runFor(29)
    await event(reference, 'note')
    expect(await messages()).toEqual(['old'])

    await runFor(2)
    expect(await messages()).toEqual([])
  },
)

test.each<[string, Parameters<typeof set>[1], LeadEvent['what'][], boolean]>([
  ['an open request', { state: 'open' }, [], true],
  [
    'a won lead with a follow-up',
    { state: 'answered', result: 'won', follow_up_at: '2027-03-02T14:00' },
    [],
    true,
  ],
  ['an answered lead with an unread message', { state: 'answered' }, ['answer', 'automatic_reply'], true],
  [
    'one with a message that was read',
    { state: 'answered', seen_at: 'x' },
    ['answer', 'automatic_reply'],
    false,
  ],
  [
    'one with a message that was answered unread',
    { state: 'answered' },
    ['reply', 'answered_by_mail'],
    false,
  ],
  ['an unread message in spam', { state: 'spam' }, ['automatic_reply'], false],
  ['a request that was decided about unread', { state: 'answered', result: 'lost' }, ['result'], false],
  ['suspected spam', { state: 'open', spam_score: 12 }, [], false],
  ['one that a list is about to name', { state: 'answered', awaits_list: 1 }, [], true],
])('of leads that are too old, %s is kept: %j %j %s', async (_which, values, history, isKept) => {
  const reference = await submit('old')
  await deliverToFiles(site)
  for (const what of history) await event(reference, what)
  await set(reference, values)

  await runFor(60)

  expect(await messages()).toEqual(isKept ? ['old'] : [])
  expect(await countExpiring()).toBe(0)
})

test('without the inbox, where nobody closes leads, open ones are deleted, a week after it was turned off', async () => {
  await site.submit({ message: 'old' })
  await deliverToFiles(site)
  await runFor(60)

  await runFor(7, 30, false)
  expect(await messages()).toEqual(['old'])
  expect(await countExpiring({ days: 30, hasInbox: false })).toBe(1)

  await runFor(1, 30, false)
  expect(await messages()).toEqual([])
})

test.each([
  ['the clock was set back', -2],
  ['the server was off for two days', 2],
])(
  'for a week after %s, nothing is deleted, and what will be is announced two days before',
  async (_what, days) => {
    await submit('old')
    await deliverToFiles(site)
    await runFor(29)
    site.advanceClock(days * DAY_MS)
    await run()

    await runFor(4)
    expect(await countExpiring()).toBe(0)
    await runFor(1)
    expect(await countExpiring()).toBe(1)
    await runFor(1)
    expect(await messages()).toEqual(['old'])

    await runFor(1)
    expect(await messages()).toEqual([])
  },
)

test('nothing is deleted until all messages are read', async () => {
  await submit('old')
  await deliverToFiles(site)
  await runFor(30)
  site.advanceClock(DAY_MS)
  const { signal } = new AbortController()
  const { db, dataDir: mailDir, clock } = site
  const deps = { db, mailDir, days: 30, hasInbox: true, log, now: () => clock.now }

  await createRetention({ ...deps, areMessagesRead: async () => false })(signal)
  expect(await messages()).toEqual(['old'])

  await createRetention({ ...deps, areMessagesRead: async () => true })(signal)
  expect(await messages()).toEqual([])
})
