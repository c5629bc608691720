import { createDatabaseFile } from '../database/open-database.ts'
import { joinPostgres } from '../database/postgres/open-postgres.ts'
import type { Database } from '../database/schema.ts'
import { writeNote } from '../database/settings.ts'
import { type Contents, type OnProgress, removeDatabase, verifyCopy } from './copy-database.ts'
import { copyLeads } from './copy-leads.ts'

/**
 * Copies everything out of PostgreSQL, as it is at one moment and beside whoever works with it, into a new SQLite file;
 * verifies that, and notes down for all copies of the program that there is a backup.
 */
export async function copyPostgres(url: string, to: string, at: Date, onProgress: OnProgress = () => {}) {
  removeDatabase(to)
  const { db, close } = await joinPostgres(url)
  const file = await createDatabaseFile(to)
  try {
    const snapshot = db.transaction().setIsolationLevel('repeatable read').setAccessMode('read only')
    const contents = await snapshot.execute(async (source) => {
      await copyLeads(source, file, (leads, of) => onProgress(leads / of))
      return readContents(source)
    })
    await file.destroy()
    verifyCopy(to, contents)
    await writeNote(db, 'backup_taken_at', at.toISOString())
    return contents
  } finally {
    await file.destroy()
    await close()
  }
}

async function readContents(db: Database): Promise<Contents> {
  const { leads, newestLeadAt } = await db
    .selectFrom('leads')
    .select(({ fn }) => [fn.countAll<number>().as('leads'), fn.max('created_at').as('newestLeadAt')])
    .executeTakeFirstOrThrow()
  const { waitingMails } = await db
    .selectFrom('outbox')
    .select(({ fn }) => fn.countAll<number>().as('waitingMails'))
    .where('state', 'in', ['queued', 'sending'])
    .executeTakeFirstOrThrow()
  return { leads, newestLeadAt, waitingMails }
}
