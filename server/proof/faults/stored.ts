import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { Kysely, SqliteDialect, sql } from 'kysely'
import type { Place } from '../../database/open-storage.ts'
import { connect } from '../../database/postgres/open-postgres.ts'
import type { Database, Schema } from '../../database/schema.ts'

export type StoredLead = { key: string | null; reference: string; message: string }
export type Stored = ReturnType<typeof openStored>

/** Opens the leads beside the program or after it, as any tool may. */
export function openStored(place: Place) {
  const db = place.DATABASE_URL ? connect(place.DATABASE_URL, 'operator') : openFile(place.DATA_DIR)
  const count = async (query: string) => {
    const { rows } = await sql.raw<{ count: number }>(`select count(*) as count ${query}`).execute(db)
    return rows[0]?.count ?? 0
  }
  return {
    db,
    count,
    leads: (): Promise<StoredLead[]> =>
      db.selectFrom('leads').select(['idempotency_key as key', 'reference', 'message']).execute(),
    waitingMails: () => count("from outbox where state in ('queued', 'sending')"),
    failedMails: () => count("from outbox where state = 'failed'"),
    attempts: () => count('from outbox_attempts'),
    /** What SQLite finds in its file. PostgreSQL checks its pages as it reads them. */
    async integrity(): Promise<string> {
      if (place.DATABASE_URL) return 'ok'
      const { rows } = await sql<{ integrity_check: string }>`pragma integrity_check`.execute(db)
      return rows.map(({ integrity_check }) => integrity_check).join()
    },
    /** Lets the waiting time of a retry pass; also gives another chance to what was given up on. */
    async passRetryTime() {
      await db
        .updateTable('outbox')
        .set({ state: 'queued', due_at: LONG_AGO })
        .where('state', 'in', ['queued', 'failed'])
        .execute()
    },
    /** Lets the waiting time of a retry pass, and of nothing else. */
    async passWaitingTime() {
      await db.updateTable('outbox').set({ due_at: LONG_AGO }).where('state', '=', 'queued').execute()
    },
    /** Lets what still waits have waited for an hour. */
    async passAnHour() {
      await db
        .updateTable('outbox')
        .set({ queued_at: new Date(Date.now() - HOUR_MS).toISOString() })
        .where('state', 'in', ['queued', 'sending'])
        .execute()
    },
    /** Lets the time pass after which what a killed copy had in hand is anybody's; SQLite needs no such time. */
    async passLeaseTime() {
      await db.updateTable('outbox').set({ due_at: LONG_AGO }).where('state', '=', 'sending').execute()
    },
    /** A change that means nothing. The value must be another one: SQLite writes nothing where nothing changes. */
    async write() {
      const value = String(Math.random())
      await db.updateTable('settings').set({ value }).where('name', '=', 'last_write_check').execute()
    },
  }
}

const HOUR_MS = 60 * 60 * 1000
const LONG_AGO = '2000-01-01T00:00:00.000Z'

function openFile(dataDir: string): Database {
  const database = new Sqlite(join(dataDir, 'leads.db'), { fileMustExist: true, timeout: 5000 })
  return new Kysely<Schema>({ dialect: new SqliteDialect({ database }) })
}

/** Asks one thing and lets go of the database again. */
export async function ask<Answer>(
  place: Place,
  question: (stored: Stored) => Promise<Answer>,
): Promise<Answer> {
  const stored = openStored(place)
  try {
    return await question(stored)
  } finally {
    await stored.db.destroy()
  }
}
