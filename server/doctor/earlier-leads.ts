import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { count } from '../count.ts'
import { identityOf } from '../database/identity-of.ts'
import { type Finding, findingsAbout } from './finding.ts'

const about = findingsAbout('earlier leads')

/** The files that restores have put aside and that hold leads the owner was never told of and `leads.db` lacks. */
export function checkEarlierLeads(sqlite: Sqlite.Database, dataDir: string): Finding[] {
  // Another name of the live file must not be opened: closing it would drop our locks on it.
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
        `${count(unsent, 'email to the owner was', 'emails to the owner were')} never sent, about leads that are only in ${path}.`,
        'To read them, open it in any SQLite tool (table leads), or stop the server and restore it. Then delete it.',
      ),
    ]
  })
}

function countUnsent(sqlite: Sqlite.Database, path: string): number {
  try {
    sqlite.prepare('attach ? as earlier').run(path)
  } catch (error) {
    return unreadable(error)
  }
  try {
    const unsent = sqlite.prepare<[], number>(
      `select count(*) from earlier.outbox
       where kind = 'owner_notice' and state <> 'sent' and lead_id not in (select id from main.leads)`,
    )
    return unsent.pluck().get() ?? 0
  } catch (error) {
    return unreadable(error)
  } finally {
    sqlite.exec('detach earlier')
  }
}

/** Damaged leads are put aside as they are: nobody can say what is in there. */
function unreadable(error: unknown): number {
  if (error instanceof Sqlite.SqliteError) return 0
  throw error
}
