import { sql } from 'kysely'
import { prepared } from '../../database/prepared.ts'
import type { Database } from '../../database/schema.ts'

// PostgreSQL may commit a lower id after a higher one, so comparing only the newest id is not enough.
const NEWEST = 50

const selectNewest = prepared((db) =>
  db
    .selectFrom(newest(db, 'leads', 'id').as('newest_leads'))
    .select('change')
    .unionAll(db.selectFrom(newest(db, 'lead_events', 'id').as('newest_events')).select('change'))
    // Each attempt to send an email changes what the inbox shows about it.
    .unionAll(db.selectFrom(newest(db, 'outbox_attempts', 'rowid').as('newest_attempts')).select('change'))
    .unionAll(db.selectFrom(newest(db, 'outbox', 'id').as('newest_emails')).select('change'))
    .unionAll(db.selectFrom('sessions').select(sql<string>`'sessions ' || id`.as('change')))
    .unionAll(
      db.selectFrom('passkeys').select(sql<string>`'passkeys ' || id || coalesce(used_at, '')`.as('change')),
    )
    .unionAll(
      db
        .selectFrom('settings')
        .select(sql<string>`'erased ' || value`.as('change'))
        .where('name', '=', 'erased_at'),
    ),
)

type Growing = 'leads' | 'lead_events' | 'outbox_attempts' | 'outbox'

function newest(db: Database, table: Growing, key: 'id' | 'rowid') {
  const id = sql.ref(`${table}.${key}`)
  return db
    .selectFrom(table)
    .select(sql<string>`${sql.lit(`${table} `)} || ${id}`.as('change'))
    .orderBy(id, 'desc')
    .limit(NEWEST)
}

/**
 * Returns a string that changes whenever something that an open inbox shows has changed. Reads at most 50 rows of each
 * growing table, and all sessions and passkeys.
 */
export async function readNewestChanges(db: Database): Promise<string> {
  const { rows } = await selectNewest(db, {})
  return rows
    .map(({ change }) => change)
    .toSorted()
    .join()
}
