import { join } from 'node:path'
import Sqlite from 'better-sqlite3'

export type StoredLead = { key: string | null; reference: string; message: string }

/** Opens the leads beside the program or after it, as any SQLite tool may. */
export function openStored(dataDir: string) {
  const db = new Sqlite(join(dataDir, 'leads.db'), { fileMustExist: true, timeout: 5000 })
  const count = (sql: string) => db.prepare<[], number>(sql).pluck().get() ?? 0
  return {
    leads: () =>
      db.prepare<[], StoredLead>('select idempotency_key as key, reference, message from leads').all(),
    waitingMails: () => count("select count(*) from outbox where state in ('queued', 'sending')"),
    failedMails: () => count("select count(*) from outbox where state = 'failed'"),
    attempts: () => count('select count(*) from outbox_attempts'),
    integrity: () => String(db.pragma('integrity_check', { simple: true })),
    /** Lets the waiting time of a retry pass; also gives another chance to what was given up on. */
    passRetryTime() {
      db.exec(
        "update outbox set state = 'queued', due_at = '2000-01-01T00:00:00.000Z' where state in ('queued', 'failed')",
      )
    },
    /** A change that means nothing. The value must be another one: SQLite writes nothing where nothing changes. */
    write() {
      db.exec("update settings set value = hex(randomblob(8)) where name = 'last_write_check'")
    },
    [Symbol.dispose]: () => {
      db.close()
    },
  }
}

/** Asks one thing and lets go of the file again. */
export function ask<Answer>(
  dataDir: string,
  question: (db: ReturnType<typeof openStored>) => Answer,
): Answer {
  using stored = openStored(dataDir)
  return question(stored)
}
