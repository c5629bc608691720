import { Kysely, PostgresDialect, sql } from 'kysely'
import { assertAge, compareAge, migrate, type SchemaAge } from '../migrate.ts'
import { type Database, type Schema, tableNames } from '../schema.ts'
import { NotDurable } from '../storage-error.ts'
import { type Audience, createPool } from './create-pool.ts'
import { startDatabaseClock } from './database-clock.ts'

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
  new Kysely<Schema>({ dialect: new PostgresDialect({ pool: createPool(url, audience) }) })

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

/** Compares the schema of the database with this program's. */
export async function readAge(db: Database): Promise<SchemaAge> {
  // The database may have other tables, but none with our names.
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
