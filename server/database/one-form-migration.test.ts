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
  await sql`alter table leads drop column reminded_at`.execute(site.db)
  await sql`create index outbox_reminders on outbox (queued_at) where kind = 'reminder'`.execute(site.db)
})

test('whoever had a reminder of a promise gets no other one, and a new promise has its own', async () => {
  const replied_at = '2026-03-02T16:00:00.000Z'
  const [same, earlier, first, other] = await storeLeads(
    site.db,
    { due_at, replied_at },
    { due_at },
    { due_at, replied_at },
    { due_at },
  )
  const times = { queued_at: at, due_at: at, priority: 1 }
  const queue = (lead_id = '', message_id: string, state: 'sent' | 'listed' = 'sent') =>
    site.db
      .insertInto('outbox')
      .values({ ...times, kind: 'reminder', lead_id, recipient: 'a@agency.example', message_id, state })
      .execute()
  // Who has written again since, and waits, has the same promise.
  await queue(same?.id, `<${same?.id}-reminder-2026-03-02T180000.000Z.0@agency.example>`, 'listed')
  await queue(earlier?.id, `<${earlier?.id}.reminder.0@agency.example>`)
  await queue(first?.id, `<${first?.id}-reminder-2026-03-02T150000.000Z.0@agency.example>`)

  await migrate()

  const leads = await site.db.selectFrom('leads').select(['id', 'reminded_at']).execute()
  const remindedAt = (id?: string) => leads.find((lead) => lead.id === id)?.reminded_at
  expect([same, earlier, first, other].map((lead) => remindedAt(lead?.id))).toEqual([at, at, null, null])
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
