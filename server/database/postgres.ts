import { Kysely, PostgresDialect, sql } from 'kysely'
import { assertAge, compareAge, migrate, type SchemaAge } from './migrate.ts'
import type { Audience } from './postgres-pool.ts'
import { type Database, type Schema, tableNames } from './schema.ts'
import { NotDurable } from './storage-error.ts'

const SYNC_CLOCK_EVERY_MS = 10_000
// A response that takes longer is too inaccurate and is ignored, unless it's the first.
const MAX_CLOCK_ROUND_TRIP_MS = 1_000
const FEW_LEADS = 1_000

/** Opens the database for a server: checks that its settings are safe (see `findUnsafeSettings`), and migrates it. */
export async function openPostgres(url: string) {
  await (await preparePostgres(url)).destroy()
  return withClock(connect(url, 'visitor'))
}

/** Checks and migrates the database. No timeouts apply, because migrating many leads can take minutes. */
export async function preparePostgres(url: string): Promise<Database> {
  const db = connect(url, 'operator')
  try {
    await assertDurable(db)
    assertAge(await readAge(db), 'The database', { mayBeOlder: true })
    await migrate(db)
    return db
  } catch (error) {
    await db.destroy()
    throw error
  }
}

/** Opens the database for a command. Throws `OtherVersion` if its schema is empty, older or newer. */
export async function openExistingPostgres(url: string) {
  const db = connect(url, 'operator')
  try {
    assertAge(await readAge(db), 'The database')
    return await withClock(db)
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

async function withClock(db: Database) {
  const clock = await startDatabaseClock(db)
  return {
    db,
    now: clock.now,
    async close() {
      clock.stop()
      await db.destroy()
    },
  }
}

/** Compares the schema of the database with this program's. The database may have other tables, but none with our names. */
export async function readAge(db: Database): Promise<SchemaAge> {
  const { rows: found } = await sql<{ name: string }>`
    select name from unnest(${['kysely_migration', ...tableNames]}::text[]) as name
    where to_regclass(quote_ident(name)) is not null`.execute(db)
  if (found.length === 0) return 'empty'
  if (found.every(({ name }) => name !== 'kysely_migration')) return 'foreign'
  const { rows } = await sql<{ name: string }>`select name from kysely_migration`.execute(db)
  return compareAge(rows.map(({ name }) => name))
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
    throw new NotDurable(
      `PostgreSQL runs with ${unsafe.join(', ')}: confirmed leads could be lost or garbled. Fix this, then try again.`,
    )
}

/** Follows the database's clock, because the clocks of replicas may differ. */
export async function startDatabaseClock(db: Database) {
  let origin = Number.NaN

  async function sync() {
    const askedAt = performance.now()
    const { rows } = await sql<{ now: number }>`
      select (extract(epoch from clock_timestamp()) * 1000)::float8 as now`.execute(db)
    const answeredAt = performance.now()
    const isExact = answeredAt - askedAt <= MAX_CLOCK_ROUND_TRIP_MS
    if (rows[0] && (isExact || Number.isNaN(origin))) origin = rows[0].now - (askedAt + answeredAt) / 2
  }

  await sync()
  // If a sync fails, the time is still calculated from the previous one.
  const timer = setInterval(() => sync().catch(() => {}), SYNC_CLOCK_EVERY_MS)
  return {
    now: () => new Date(origin + performance.now()),
    stop: () => clearInterval(timer),
  }
}

// The functions below have counterparts in sqlite.ts. Call them through differences.ts, which chooses.

/**
 * Locks names until the transaction ends. Every transaction locks names in the same order, which prevents deadlocks.
 */
export async function lockNames(transaction: Database, names: readonly string[]): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(name, 0))
    from unnest(${[...new Set(names)].toSorted()}::text[]) as name`.execute(transaction)
}

export async function databaseBytes(db: Database): Promise<number> {
  const { rows } = await sql<{ bytes: number }>`
    select pg_database_size(current_database()) as bytes`.execute(db)
  return rows[0]?.bytes ?? 0
}

/** The free disk space of a database server is unknown. */
export const freeBytes = async (): Promise<null> => null

/** Marks the space of deleted rows as free. Names only our tables, because the database may contain others. */
export async function rewriteDatabase(db: Database): Promise<void> {
  await sql`vacuum ${sql.join(tableNames.map((name) => sql.table(name)))}`.execute(db)
}

/** PostgreSQL manages its write-ahead log itself. */
export const truncateWal = async (): Promise<boolean> => true

/** Keeps replicas from writing during a copy. */
export async function lockForCopy(transaction: Database): Promise<void> {
  await sql`lock table leads, outbox, settings in exclusive mode`.execute(transaction)
}

/**
 * Makes the ids of new rows start after the copied ones. Updates the statistics after many leads: otherwise, each list
 * would take a second until autovacuum updates them. With the statistics of a small table, PostgreSQL would check the
 * foreign key of each new email by reading all leads.
 */
export async function finishCopy(transaction: Database, leads: number): Promise<void> {
  for (const name of ['outbox', 'lead_events'])
    await sql`select setval(pg_get_serial_sequence(${name}, 'id'), greatest(max(id), 1), max(id) is not null)
      from ${sql.table(name)}`.execute(transaction)
  if (leads > FEW_LEADS) await sql`analyze leads`.execute(transaction)
}
