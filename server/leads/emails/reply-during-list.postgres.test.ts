import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createGroupCommit } from '../../database/group-commit.ts'
import { writeNote } from '../../database/notes.ts'
import { connect } from '../../database/postgres.ts'
import type { Database } from '../../database/schema.ts'
import { useTestApp } from '../../proof/testing/build-test-app.ts'
import { leadTools } from '../../proof/testing/leads.ts'
import { waitUntil } from '../../proof/testing/wait-until.ts'
import { MAX_UNANSWERED_REPLIES } from './mail-budget.ts'
import { createNoticeLists, type NoticeListContent } from './notice-list.ts'
import { readListed } from './notice-list-email.ts'
import { queueReplyNotices } from './reply-notices.ts'

const site = useTestApp()
const { read, submit } = leadTools(site)

let other: Database
beforeEach(async () => {
  other = connect(String(site.env.DATABASE_URL), 'visitor')
})
afterEach(async () => {
  await other.destroy()
})

const list = () => createNoticeLists({ ...site.context, write: createGroupCommit(other) })()

let keys = 0
/** Stores a reply to a lead that has had too many to get notices. */
async function reply(db: Database, id: string, text: string) {
  const at = site.clock.now
  const key = `mail ${++keys}`
  const event = { lead_id: id, at: at.toISOString(), what: 'reply' as const, key, text }
  await db
    .insertInto('lead_events')
    .values({ ...event, who: 'ada@example.com', joined: 'ours' })
    .execute()
  await queueReplyNotices(db, { id, budget: '' }, key, { env: site.context.env, at })
}

/** A lead that waits for a list, and whose next reply gets no notice. */
async function awaiting() {
  const { id, reference } = await read(await submit({ email: 'ada@example.com' }))
  for (let turn = 0; turn <= MAX_UNANSWERED_REPLIES; turn++) await reply(site.db, id, `Reply ${turn}.`)
  expect((await read(reference)).awaits_list).toBe(1)
  return { id, reference }
}

/** Waits until a statement waits for a row that another transaction has locked. */
const blocked = (count: number) =>
  waitUntil(
    `${count} statements wait`,
    async () => {
      const { rows } = await sql<{ count: number }>`select count(*)::int as count from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`.execute(site.db)
      return rows[0]?.count === count
    },
    10_000,
  )

/** A transaction that has done `work` and ends when `commit` is called. */
async function hold(work: (transaction: Database) => Promise<unknown>) {
  const ready = Promise.withResolvers<void>()
  const end = Promise.withResolvers<void>()
  const ended = site.db.transaction().execute(async (transaction) => {
    await work(transaction)
    ready.resolve()
    await end.promise
  })
  await Promise.race([ready.promise, ended])
  return {
    async commit() {
      end.resolve()
      await ended
    },
  }
}

async function namesInLists() {
  const lists = await site.db
    .selectFrom('outbox')
    .select('content')
    .where('kind', '=', 'notice_list')
    .execute()
  const contents = lists.map(({ content }) => JSON.parse(String(content)) as NoticeListContent)
  const news = await Promise.all(contents.map((content) => readListed(site.db, content)))
  return news.flat().flatMap(({ writings }) => writings.map(({ text }) => text))
}

test('a reply that is stored while a list clears the mark of its lead is in that list', async () => {
  const { id, reference } = await awaiting()

  const storing = await hold((transaction) => reply(transaction, id, 'At that moment.'))
  const listing = list()
  await blocked(1)
  await storing.commit()
  await listing

  expect((await read(reference)).awaits_list).toBe(0)
  expect(await namesInLists()).toEqual(['At that moment.'])
})

test('a reply that is stored after a list has cleared the mark of its lead is in the next list', async () => {
  const { id, reference } = await awaiting()
  await writeNote(site.db, 'notice_list_at', '2000-01-01T00:00:00.000Z')

  // The list waits at its last step.
  const last = await hold((transaction) => writeNote(transaction, 'notice_list_at', '2000-01-01'))
  const listing = list()
  await blocked(1)
  const storing = site.db.transaction().execute((transaction) => reply(transaction, id, 'A moment later.'))
  await blocked(2)
  await last.commit()
  await Promise.all([listing, storing])

  expect((await read(reference)).awaits_list).toBe(1)
})
