import { sql } from 'kysely'
import type { Database } from '../../database/schema.ts'

// PostgreSQL may commit a lower id after a higher one, so comparing only the newest id is not enough.
const NEWEST = 50

const newest = (table: string, id = 'id') =>
  `select '${table} ' || ${id} from (select ${id} from ${table} order by ${id} desc limit ${NEWEST}) as ${table}`

const queries = [
  "select 'sessions ' || id as change from sessions",
  "select 'passkeys ' || id || coalesce(used_at, '') from passkeys",
  "select 'erased ' || value from settings where name = 'erased_at'",
  newest('leads'),
  newest('lead_events'),
  newest('outbox'),
  // Each attempt to send an email changes what the inbox shows about it.
  newest('outbox_attempts', 'rowid'),
]
const selectNewest = sql.raw<{ change: string }>(queries.join(' union all '))

/**
 * Returns a string that changes whenever something that an open inbox shows has changed. Reads at most 50 rows of each
 * growing table, and all sessions and passkeys.
 */
export async function readNewestChanges(db: Database): Promise<string> {
  const { rows } = await selectNewest.execute(db)
  return rows
    .map(({ change }) => change)
    .toSorted()
    .join()
}
