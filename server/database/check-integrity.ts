import { execFile } from 'node:child_process'
import { existsSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import Sqlite from 'better-sqlite3'

/** Up to this size, the file is checked before the server starts. SQLite checks about 500 MB per second. */
const SMALL_BYTES = 64 * 1024 * 1024

/** Throws `SQLITE_CORRUPT` if the database is damaged. */
export function assertIntact(sqlite: Sqlite.Database) {
  const result = sqlite.pragma('quick_check(1)', { simple: true })
  if (result !== 'ok') throw new Sqlite.SqliteError(String(result), 'SQLITE_CORRUPT')
}

/**
 * Checks `leads.db` while the server runs, if the file is too large to check at startup (`isNeeded`). If it's damaged, the
 * next start checks it first and fails, so that the server accepts no more leads.
 */
export function createLateCheck(dataDir: string, smallBytes = SMALL_BYTES) {
  const file = join(dataDir, 'leads.db')
  const mark = `${file}-damaged`
  const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0

  /**
   * Runs in a child process, because in this one the check would block requests. Throws `SQLITE_CORRUPT` if the file is
   * damaged, and other errors if the check can't run.
   */
  async function run(signal: AbortSignal) {
    const args = [join(import.meta.dirname, 'check-file.ts'), file]
    const { stdout: result } = await promisify(execFile)(process.execPath, args, { signal })
    if (result === 'ok') return
    try {
      writeFileSync(mark, result)
    } catch {
      // The disk may be failing. Report the damage anyway.
    }
    throw new Sqlite.SqliteError(result, 'SQLITE_CORRUPT')
  }

  return {
    isNeeded: size > smallBytes && !existsSync(mark),
    /** Deletes the file that records damage. Call this after a check at startup that finds none. */
    forgetDamage: () => rmSync(mark, { force: true }),
    run,
  }
}
