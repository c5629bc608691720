import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { count } from '../count.ts'
import { identityOf } from '../files/identity-of.ts'
import { type Finding, findingsAbout } from './finding.ts'

const about = findingsAbout('earlier leads')

/** Finds leads that are only in files that a restore set aside, and about which the owner never got an email. */
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
        'To read them, open the file in any SQLite tool (table leads), or stop the server and restore the file. Afterwards, delete the file.',
      ),
    ]
  })
}

function countUnsent(sqlite: Sqlite.Database, path: string): number {
  try {
    sqlite.prepare('attach ? as earlier').run(path)
    try {
      const unsent = sqlite.prepare<[], number>(
        `select count(*) from earlier.outbox
         where kind = 'owner_notice' and state not in ('sent', 'listed') and lead_id not in (select id from main.leads)`,
      )
      return unsent.pluck().get() ?? 0
    } finally {
      sqlite.exec('detach earlier')
    }
  } catch (error) {
    // The leads in a damaged database can't be counted.
    if (error instanceof Sqlite.SqliteError) return 0
    throw error
  }
}
