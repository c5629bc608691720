import { Kysely, PostgresDialect, sql } from 'kysely'
import { migrate, migrationNames, type OnProgress } from '../migrate.ts'
import type { Database, Schema } from '../schema.ts'
import { assertAge, compareAge, type SchemaAge } from '../schema-age.ts'
import { NotDurable } from '../storage-error.ts'
import { type Audience, createPool } from './create-pool.ts'
import { startDatabaseClock } from './database-clock.ts'

/** Opens the database for one replica of the server. Checks that it is durable, and migrates it. */
export async function openPostgres(url: string, onProgress?: OnProgress) {
  const preparing = await preparePostgres(url, onProgress)
  await preparing.destroy()
  return serve(connect(url, 'visitor'))
}

/** Checks and migrates the database, without timeouts. */
export async function preparePostgres(url: string, onProgress?: OnProgress): Promise<Database> {
  const db = connect(url, 'operator')
  try {
    await assertDurable(db)
    assertAge(await readAge(db), 'The database', { mayBeOlder: true })
    await migrate(db, undefined, onProgress)
    return db
  } catch (error) {
    await db.destroy()
    throw error
  }
}

/** Opens the database next to running replicas. Throws `OtherVersion`, also if it is empty. */
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

/** Opens the database without any checks. */
export const connect = (url: string, audience: Audience): Database =>
  new Kysely<Schema>({ dialect: new PostgresDialect({ pool: createPool(url, audience) }) })

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

/** Compares the schema of the database with this program's. */
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

/** Finds settings (`name=value`) that could lose confirmed leads or can't store every character. */
export async function findLaxSettings(db: Database): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select name || '=' || setting as name from pg_settings
    where (name in ('fsync', 'full_page_writes', 'synchronous_commit') and setting = 'off')
      or (name = 'server_encoding' and setting <> 'UTF8')
    order by name`.execute(db)
  return rows.map(({ name }) => name)
}

async function assertDurable(db: Database) {
  const lax = await findLaxSettings(db)
  if (lax.length > 0)
    throw new NotDurable(
      `PostgreSQL runs with ${lax.join(', ')}: confirmed leads could be lost or garbled. Change that first.`,
    )
}
