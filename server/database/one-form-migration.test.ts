import { type Kysely, sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { readSetAside } from '../mailbox/set-aside.ts'
import { useTestApp } from '../proof/testing/build-test-app.ts'
import { storeLeads } from '../proof/testing/leads.ts'
import { up } from './migrations/006-one-form.ts'

const site = useTestApp()

const at = '2026-03-02T15:00:00.000Z'
const due_at = '2026-03-02T18:00:00.000Z'

const migrate = () => up(site.db as unknown as Kysely<unknown>)

beforeEach(async () => {
  await sql`drop index leads_by_reminder`.execute(site.db)
  for (const column of ['reminded_at', 'reminded_of'])
    await sql`alter table leads drop column ${sql.ref(column)}`.execute(site.db)
  await sql`create index outbox_reminders on outbox (queued_at) where kind = 'reminder'`.execute(site.db)
})

test('whoever had a reminder of a promise gets no other one, and a new promise has its own', async () => {
  const replied_at = '2026-03-02T16:00:00.000Z'
  const leads = await storeLeads(
    site.db,
    { due_at, replied_at },
    { due_at },
    { due_at, replied_at },
    { due_at },
    { due_at },
  )
  const [same, earlier, first, answered] = leads.map(({ id }) => id)
  const times = { queued_at: at, due_at: at, priority: 1 }
  const queue = (lead_id = '', rest: string, state: 'sent' | 'listed' = 'sent') =>
    site.db
      .insertInto('outbox')
      .values({
        ...times,
        kind: 'reminder',
        lead_id,
        recipient: 'a@agency.example',
        state,
        message_id: `<${lead_id}${rest}.0@agency.example>`,
      })
      .execute()
  // Who has written again since, and waits, has the same promise.
  await queue(same, '-reminder-2026-03-02T180000.000Z', 'listed')
  await queue(earlier, '.reminder')
  // Of an earlier promise.
  await queue(first, '-reminder-2026-03-02T150000.000Z')
  await queue(answered, '-reminder-2026-03-02T150000.000Z')

  await migrate()

  const columns = ['reminded_at', 'reminded_of'] as const
  const reminded = await site.db.selectFrom('leads').select(columns).orderBy('id').execute()
  const isReminded = { reminded_at: at, reminded_of: due_at }
  const isNot = { reminded_at: null, reminded_of: null }
  expect(reminded).toEqual([isReminded, isReminded, isNot, isNot, isNot])
})

test('notes of messages that could not be read no longer name their senders', async () => {
  const messages = [
    { uid: 1, tries: 5, at, dueAt: null, from: 'eve@example.com', date: 'Mon, 2 Mar 2026' },
    { uid: 2, tries: 1, at, dueAt: at },
  ]
  await site.db
    .insertInto('settings')
    .values({ name: 'mailbox_aside_inbox', value: JSON.stringify({ of: 'here', messages }) })
    .execute()

  await migrate()

  expect(await readSetAside(site.db, 'inbox', 'here')).toEqual([
    { uid: 1, tries: 5, at, date: 'Mon, 2 Mar 2026' },
    { uid: 2, tries: 1, at },
  ])
})

test('what is quoted in a message is a list, and stands below what its sender wrote', async () => {
  const [lead] = await storeLeads(site.db, {})
  const words = { messageId: '<a@x>', attachments: [] }
  const newer = { messageId: '"quoted":', quotes: [{ at: 0, text: 'Our words' }], attachments: [] }
  const event = { lead_id: lead?.id ?? '', at, who: 'ada@example.com', what: 'reply' as const, text: 'Fine!' }
  for (const received of [{ ...words, quoted: '> Yes.' }, { ...words, quoted: '' }, newer])
    await site.db
      .insertInto('lead_events')
      .values({ ...event, received: JSON.stringify(received) })
      .execute()

  await migrate()

  const events = await site.db.selectFrom('lead_events').select('received').orderBy('id').execute()
  expect(events.map(({ received }) => JSON.parse(String(received)))).toEqual([
    { ...words, quotes: [{ at: 5, text: '> Yes.' }] },
    { ...words, quotes: [] },
    newer,
  ])
})
