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
