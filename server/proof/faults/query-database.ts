import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { Kysely, SqliteDialect, sql } from 'kysely'
import type { StorageSettings } from '../../database/open-storage.ts'
import { connect } from '../../database/postgres.ts'
import type { Database, Schema } from '../../database/schema.ts'

export type StoredLead = { key: string | null; reference: string; message: string }
export type Queries = ReturnType<typeof openQueries>

/** Opens the database of a running or stopped program. */
function openQueries(settings: StorageSettings) {
  const db = settings.DATABASE_URL ? connect(settings.DATABASE_URL, 'operator') : openFile(settings.DATA_DIR)
  const count = async (query: string) => {
    const { rows } = await sql.raw<{ count: number }>(`select count(*) as count ${query}`).execute(db)
    return rows[0]?.count ?? 0
  }
  return {
    db,
    count,
    leads: (): Promise<StoredLead[]> =>
      db.selectFrom('leads').select(['idempotency_key as key', 'reference', 'message']).execute(),
    waitingEmails: () => count("from outbox where state in ('queued', 'sending')"),
    attempts: () => count('from outbox_attempts'),
    /**
     * The result of SQLite's integrity check. Always "ok" on PostgreSQL, which has no such check
     * built in.
     */
    async integrity(): Promise<string> {
      if (settings.DATABASE_URL) return 'ok'
      const { rows } = await sql<{ integrity_check: string }>`pragma integrity_check`.execute(db)
      return rows.map(({ integrity_check }) => integrity_check).join()
    },
    /** Makes every unsent email due now, including failed ones. */
    async makeAllDue() {
      await db
        .updateTable('outbox')
        .set({ state: 'queued', due_at: LONG_AGO })
        .where('state', 'in', ['queued', 'failed'])
        .execute()
    },
    /**
     * Expires all leases, so that any replica may send the emails that a killed replica was
     * sending. On SQLite, a server does this itself when it starts.
     */
    async expireLeases() {
      await db.updateTable('outbox').set({ due_at: LONG_AGO }).where('state', '=', 'sending').execute()
    },
    /**
     * Makes a small change. The value is random, because SQLite would skip writing the same value
     * again.
     */
    async write() {
      const value = String(Math.random())
      await db.updateTable('settings').set({ value }).where('name', '=', 'last_write_check').execute()
    },
  }
}

const LONG_AGO = '2000-01-01T00:00:00.000Z'

function openFile(dataDir: string): Database {
  const database = new Sqlite(join(dataDir, 'leads.db'), { fileMustExist: true, timeout: 5000 })
  return new Kysely<Schema>({ dialect: new SqliteDialect({ database }) })
}

/** Opens the database, runs the query, and closes the database. */
export async function queryDatabase<Answer>(
  settings: StorageSettings,
  question: (stored: Queries) => Promise<Answer>,
): Promise<Answer> {
  const stored = openQueries(settings)
  try {
    return await question(stored)
  } finally {
    await stored.db.destroy()
  }
}
