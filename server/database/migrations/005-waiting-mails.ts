import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index if not exists outbox_waiting on outbox (queued_at) where state in ('queued', 'sending') and kind in ('owner_notice', 'digest')`.execute(
    db,
  )
}
