import { randomBytes } from 'node:crypto'
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import pg from 'pg'
import { inject, test } from 'vitest'
import { connect } from '../../database/postgres.ts'
import { openDatabase } from '../../database/sqlite.ts'
import { atDatabase } from './postgres.ts'
import { nodeSettings } from './start-program.ts'

/** Whether this run uses PostgreSQL. If so, tests of the SQLite file are skipped. */
export const isOnPostgres = inject('postgres') !== undefined

/** A test that runs only on SQLite: its outcome can't depend on the database, or faster tests run the same statements. */
export const testOnce = test.skipIf(isOnPostgres)

/** Opens a new database, either in the folder or on this run's PostgreSQL server. */
export async function openTestDatabase(dataDir: string) {
  const server = inject('postgres')
  if (!server) {
    copyFileSync(await emptyDatabase(), join(dataDir, 'leads.db'))
    const db = await openDatabase(dataDir)
    // Syncing to the disk would take longer than the rest of a test, and no test simulates a power failure.
    await sql`pragma synchronous = off`.execute(db)
    return { db, env: envOf({ DATA_DIR: dataDir }), remove: () => db.destroy() }
  }
  const name = `test_${randomBytes(8).toString('hex')}`
  await administer(server.template, `create database ${name} ${server.options}`)
  const url = atDatabase(server.template, name)
  const db = connect(url, 'visitor')
  return {
    db,
    env: envOf({ DATA_DIR: dataDir, DATABASE_URL: url }),
    async remove() {
      await db.destroy()
      await administer(server.template, `drop database ${name} with (force)`)
    },
  }
}

// Migrating takes longer than most tests, so all tests in this process copy one database.
let empty: Promise<string> | undefined

function emptyDatabase(): Promise<string> {
  empty ??= createEmptyDatabase()
  return empty
}

async function createEmptyDatabase() {
  const folder = mkdtempSync(join(tmpdir(), 'website-empty-'))
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  const db = await openDatabase(folder)
  await db.destroy()
  return join(folder, 'leads.db')
}

// The connection that creates and drops databases. All tests in this process share it, because opening one takes longer than
// creating a database.
let administrator: Promise<pg.Client> | undefined

async function administer(url: string, statement: string) {
  administrator ??= connectTo(atDatabase(url, 'postgres'))
  await (await administrator).query(statement)
}

async function connectTo(url: string) {
  const client = new pg.Client(url)
  await client.connect()
  return client
}

/** The environment for commands on this database. */
const envOf = (place: { DATA_DIR: string; DATABASE_URL?: string }) => ({
  ...nodeSettings,
  ...place,
  BACKUP_DIR: join(place.DATA_DIR, 'backups'),
})
