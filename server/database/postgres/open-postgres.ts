import { Kysely, PostgresDialect, sql } from 'kysely'
import { migrate, migrationNames } from '../migrate.ts'
import type { Database, Schema } from '../schema.ts'
import { assertAge, compareAge, type SchemaAge } from '../schema-age.ts'
import { NotDurable } from '../storage-error.ts'
import { createPool, type Patience } from './create-pool.ts'
import { startDatabaseClock } from './database-clock.ts'

/** Opens the database for one copy of the server: found durable, and brought to the newest shape by the first that comes. */
export async function openPostgres(url: string) {
  const preparing = await preparePostgres(url)
  await preparing.destroy()
  return serve(connect(url, 'visitor'))
}

/** The same with all the time in the world, for a command that fills an empty database. */
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

/** Opens the database beside the copies that serve it. Throws where it is empty or of another version. */
export async function joinPostgres(url: string) {
  const db = connect(url, 'operator')
  try {
    assertAge(await readAge(db), 'The database')
    return await serve(db)
  } catch (error) {
    await db.destroy()
    throw error
  }
}

/** Connects and asks for nothing. */
export const connect = (url: string, patience: Patience): Database =>
  new Kysely<Schema>({ dialect: new PostgresDialect({ pool: createPool(url, patience) }) })

async function serve(db: Database) {
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

/** How the shape of the database compares with the one that this program knows. */
export async function readAge(db: Database): Promise<SchemaAge> {
  const { rows: found } = await sql<{ there: boolean }>`
    select to_regclass('kysely_migration') is not null as there`.execute(db)
  if (!found[0]?.there) return 'empty'
  const { rows } = await sql<{ name: string }>`select name from kysely_migration`.execute(db)
  return compareAge(
    rows.map(({ name }) => name),
    migrationNames(db),
  )
}

/** What is wrong of the settings without which a 200 would not mean "on disk", or not every letter could be stored. */
export async function findLaxSettings(db: Database): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select name || '=' || setting as name from pg_settings
    where (name in ('fsync', 'full_page_writes', 'synchronous_commit') and setting = 'off')
      or (name = 'server_encoding' and setting <> 'UTF8')
    order by name`.execute(db)
  return rows.map(({ name }) => name)
}

/** A 200 means "on disk": that is checked rather than assumed. */
async function assertDurable(db: Database) {
  const lax = await findLaxSettings(db)
  if (lax.length > 0)
    throw new NotDurable(
      `The database runs with ${lax.join(', ')}: what is confirmed would not be kept as it is. Change that first.`,
    )
}
