import { type Kysely, sql } from 'kysely'

/** For whoever asks whether the owner's mail waits too long: however much of it waits, only the oldest is looked at. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index if not exists outbox_waiting on outbox (queued_at) where state in ('queued', 'sending') and kind in ('owner_notice', 'digest')`.execute(
    db,
  )
}
