import { Kysely, PostgresDialect, type RawBuilder, sql } from 'kysely'
import { OperatorError } from '../errors/error-facts.ts'
import { assertAge, compareAge, migrate, type SchemaAge } from './migrate.ts'
import type { Audience } from './postgres-pool.ts'
import type { Database, Schema } from './schema.ts'

/**
 * Opens the database for a server: checks that its settings are safe (see `findUnsafeSettings`),
 * and migrates it.
 */
export async function openPostgres(url: string): Promise<Database> {
  await (await preparePostgres(url)).destroy()
  return connect(url, 'visitor')
}

/**
 * Checks and migrates the database. No timeouts apply, because migrating many leads can take
 * minutes.
 */
export const preparePostgres = (url: string): Promise<Database> =>
  connectIf(url, async (db) => {
    await assertDurable(db)
    assertAge(await readAge(db), 'The database', { mayBeOlder: true })
    await migrate(db)
  })

/** Opens the database for a command. Throws if its schema differs. */
export const openExistingPostgres = (url: string): Promise<Database> =>
  connectIf(url, async (db) => assertAge(await readAge(db), 'The database'))

async function connectIf(url: string, check: (db: Database) => Promise<void>): Promise<Database> {
  const db = connect(url, 'operator')
  try {
    await check(db)
    return db
  } catch (error) {
    await db.destroy()
    throw error
  }
}

/** Opens the database without any checks. */
export const connect = (url: string, audience: Audience): Database =>
  // Loads the pool and its library only if needed, because most installations use SQLite.
  new Kysely<Schema>({
    dialect: new PostgresDialect({
      pool: async () => (await import('./postgres-pool.ts')).createPool(url, audience),
    }),
  })

/**
 * Compares the schema of the database with this program's. The database may have other tables, but
 * none with our names.
 */
export async function readAge(db: Database): Promise<SchemaAge> {
  const namesIn = async (query: RawBuilder<{ name: string }>) =>
    (await query.execute(db)).rows.map(({ name }) => name)
  const tables = await namesIn(sql`
    select name from unnest(array['kysely_migration', 'leads']) as name where to_regclass(name) is not null`)
  return compareAge(
    tables.includes('kysely_migration') ? await namesIn(sql`select name from kysely_migration`) : tables,
  )
}

/** Finds settings (`name=value`) that could lose confirmed leads or damage their text. */
export async function findUnsafeSettings(db: Database): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select name || '=' || setting as name from pg_settings
    where (name in ('fsync', 'full_page_writes', 'synchronous_commit') and setting = 'off')
      or (name = 'server_encoding' and setting <> 'UTF8')
    order by name`.execute(db)
  return rows.map(({ name }) => name)
}

async function assertDurable(db: Database) {
  const unsafe = await findUnsafeSettings(db)
  if (unsafe.length > 0)
    throw new OperatorError(
      `PostgreSQL runs with ${unsafe.join(', ')}: confirmed leads could be lost or garbled. Fix this, then try again.`,
    )
}

// The functions below have counterparts in sqlite.ts. Call them through differences.ts, which
// chooses.

/** The free disk space of a database server is unknown. */
export const freeBytes = async (): Promise<null> => null

/** Marks the space of deleted leads as free. */
export async function rewriteDatabase(db: Database): Promise<void> {
  await sql`vacuum leads, lead_events, lead_drafts, lead_texts, files, file_parts, outbox, outbox_attempts`.execute(
    db,
  )
}

/**
 * How far the clock of this machine is behind the database's. Replicas follow the database's clock,
 * because with different times, one would take over emails that another is sending.
 */
export async function clockOffsetMs(db: Database): Promise<number> {
  const { rows } = await sql<{ now: number }>`
    select (extract(epoch from clock_timestamp()) * 1000)::float8 as now`.execute(db)
  return (rows[0]?.now ?? Date.now()) - Date.now()
}

/** PostgreSQL manages its write-ahead log itself. */
export const truncateWal = async (): Promise<boolean> => true

/**
 * Makes the ids of new rows start after the copied ones, and updates the statistics: otherwise,
 * each list of many leads would take a second until autovacuum updates them.
 */
export async function finishCopy(transaction: Database): Promise<void> {
  for (const name of ['outbox', 'lead_events'])
    await sql`select setval(pg_get_serial_sequence(${name}, 'id'), greatest(max(id), 1), max(id) is not null)
      from ${sql.table(name)}`.execute(transaction)
  await sql`analyze leads`.execute(transaction)
}

// How often a job looks whether it still has its lock.
const LOOK_MS = 10_000

/**
 * Runs a job, unless another replica is running the job with this name. The job's lock belongs to a
 * transaction that writes nothing, so PostgreSQL releases it when the connection ends: at once if
 * the replica is killed, within half a minute if its machine vanishes (see `sessionSettings`). It
 * is also gone if PostgreSQL restarts: then `lost` aborts. A replica that freezes keeps it for an
 * hour.
 */
export const runAlone = (
  db: Database,
  name: string,
  work: (lost: AbortSignal) => Promise<unknown>,
): Promise<unknown> =>
  db.transaction().execute(async (transaction) => {
    await sql`set local idle_in_transaction_session_timeout = '1h'`.execute(transaction)
    const { rows } = await sql<{ isOurs: boolean }>`
      select pg_try_advisory_xact_lock(hashtextextended(${`job ${name}`}, 0)) as "isOurs"`.execute(
      transaction,
    )
    if (rows[0]?.isOurs) await workWhileLocked(transaction, work)
  })

async function workWhileLocked(transaction: Database, work: (lost: AbortSignal) => Promise<unknown>) {
  const lost = new AbortController()
  const look = () => sql`select 1`.execute(transaction).catch((error: unknown) => lost.abort(error))
  const looking = setInterval(look, LOOK_MS)
  try {
    await work(lost.signal)
  } finally {
    clearInterval(looking)
  }
}
