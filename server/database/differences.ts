import { sql } from 'kysely'
import type { Database } from './schema.ts'
import { isShared } from './shared-database.ts'

const keptTables = sql.raw(
  'leads, lead_events, lead_drafts, lead_texts, files, file_parts, outbox, outbox_attempts',
)

/**
 * Removes what deleted rows leave behind in the database. PostgreSQL marks their space as free.
 * SQLite rewrites the file, because `secure_delete` overwrites deleted rows, but not the copies
 * that SQLite leaves behind when it moves a row to another page (seen in 1 of 3000 deletions). That
 * blocks the database, for seconds if it's large.
 */
export async function rewriteDatabase(db: Database): Promise<void> {
  await (isShared(db) ? sql`vacuum ${keptTables}` : sql`vacuum`).execute(db)
}

/**
 * Empties SQLite's write-ahead log, which still contains deleted rows. Returns false if readers
 * prevented it. PostgreSQL manages its log itself.
 */
export async function truncateWal(db: Database): Promise<boolean> {
  if (isShared(db)) return true
  const { rows } = await sql<{ busy: number }>`pragma wal_checkpoint(truncate)`.execute(db)
  return rows[0]?.busy !== 1
}

/**
 * Replicas follow the database's clock, because with different times, one would take over emails
 * that another is sending. `follow`: again, because this machine's clock may have been corrected.
 */
export async function openClock(db: Database) {
  let offsetMs = 0
  async function follow() {
    if (!isShared(db)) return
    const { rows } = await sql<{ now: number }>`
      select (extract(epoch from clock_timestamp()) * 1000)::float8 as now`.execute(db)
    offsetMs = (rows[0]?.now ?? Date.now()) - Date.now()
  }
  await follow()
  return { now: () => new Date(Date.now() + offsetMs), follow }
}

/**
 * Prepares the target of a copy for new rows, on PostgreSQL: makes their ids start after the copied
 * ones, and updates the statistics. Otherwise, each list of many leads would take a second until
 * autovacuum updates them. Call it after the last copied row, in the same transaction.
 */
export async function finishCopy(transaction: Database): Promise<void> {
  if (!isShared(transaction)) return
  for (const name of ['outbox', 'lead_events'])
    await sql`select setval(pg_get_serial_sequence(${name}, 'id'), greatest(max(id), 1), max(id) is not null)
      from ${sql.table(name)}`.execute(transaction)
  await sql`analyze leads, lead_events, outbox`.execute(transaction)
}

// How often a job looks whether it still has its lock.
const LOOK_MS = 10_000

type Work = (lost: AbortSignal) => Promise<unknown>

/**
 * Runs a job, unless another replica is running the job with this name. The job's lock belongs to a
 * transaction that writes nothing, so PostgreSQL releases it when the connection ends: at once if
 * the replica is killed, within half a minute if its machine vanishes (see `sessionSettings`). It
 * is also gone if PostgreSQL restarts: then `lost` aborts, because another replica may run the job,
 * too. A replica that freezes keeps it for an hour.
 */
export async function runAlone(db: Database, name: string, work: Work): Promise<void> {
  if (!isShared(db)) {
    // There is only one server, and it starts a job only after the last run has ended.
    await work(new AbortController().signal)
    return
  }
  await db.transaction().execute(async (transaction) => {
    await sql`set local idle_in_transaction_session_timeout = '1h'`.execute(transaction)
    const { rows } = await sql<{ isOurs: boolean }>`
      select pg_try_advisory_xact_lock(hashtextextended(${`job ${name}`}, 0)) as "isOurs"`.execute(
      transaction,
    )
    if (rows[0]?.isOurs) await workWhileLocked(transaction, work)
  })
}

async function workWhileLocked(transaction: Database, work: Work) {
  const lost = new AbortController()
  const look = () => sql`select 1`.execute(transaction).catch((error: unknown) => lost.abort(error))
  const looking = setInterval(look, LOOK_MS)
  try {
    await work(lost.signal)
  } finally {
    clearInterval(looking)
  }
}
