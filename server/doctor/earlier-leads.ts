import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { count } from '../count.ts'
import { identityOf } from '../database/identity-of.ts'
import { type Finding, findingsAbout } from './finding.ts'

const about = findingsAbout('earlier leads')

/** Finds files that a restore put aside with leads that `leads.db` lacks and the owner was never told about. */
export function checkEarlierLeads(sqlite: Sqlite.Database, dataDir: string): Finding[] {
  // Never open the live database under a second name: closing it would drop our POSIX locks.
  const live = identityOf(join(dataDir, 'leads.db'))
  const files = readdirSync(dataDir).filter(
    (name) => /^leads-before-restore-.*\.db$/.test(name) && identityOf(join(dataDir, name)) !== live,
  )
  return files.flatMap((name) => {
    const path = join(dataDir, name)
    const unsent = countUnsent(sqlite, path)
    if (unsent === 0) return []
    return [
      about.warning(
        `${count(unsent, 'email to the owner was', 'emails to the owner were')} never sent. The leads are only in ${path}.`,
        'To read them, open the file in any SQLite tool (table leads), or stop the server and restore the file. Then delete it.',
      ),
    ]
  })
}

function countUnsent(sqlite: Sqlite.Database, path: string): number {
  try {
    sqlite.prepare('attach ? as earlier').run(path)
  } catch (error) {
    return zeroIfUnreadable(error)
  }
  try {
    const unsent = sqlite.prepare<[], number>(
      `select count(*) from earlier.outbox
       where kind = 'owner_notice' and state <> 'sent' and lead_id not in (select id from main.leads)`,
    )
    return unsent.pluck().get() ?? 0
  } catch (error) {
    return zeroIfUnreadable(error)
  } finally {
    sqlite.exec('detach earlier')
  }
}

/** A damaged database is put aside as it is; its leads can't be counted. */
function zeroIfUnreadable(error: unknown): number {
  if (error instanceof Sqlite.SqliteError) return 0
  throw error
}
