import { realpathSync } from 'node:fs'
import { checkCopy, removeDatabase } from '../database/copy-database.ts'
import { type Notes, writeNote } from '../database/notes.ts'
import { openExistingPostgres } from '../database/postgres.ts'
import { createDatabaseFile } from '../database/sqlite.ts'
import { isPermanent, ownMountInfo } from '../files/mount.ts'
import { copyLeads } from './copy-leads.ts'

/** Copies a snapshot of a PostgreSQL database into a new SQLite file and verifies the file. */
export async function copyPostgres(url: string, to: string) {
  removeDatabase(to)
  const db = await openExistingPostgres(url)
  const file = await createDatabaseFile(to)
  try {
    const snapshot = db.transaction().setIsolationLevel('repeatable read').setAccessMode('read only')
    await snapshot.execute((source) => copyLeads(source, file))
    await file.destroy()
    return checkCopy(to)
  } finally {
    await file.destroy()
    await db.destroy()
  }
}

/** Records a finished backup in the database, so that all replicas know about it. */
export async function recordBackup(url: string, at: Date, path: string): Promise<void> {
  const db = await openExistingPostgres(url)
  const isLasting = isPermanent(ownMountInfo(), realpathSync(path))
  const note: Notes['backup_taken'] = { at: at.toISOString(), isLasting }
  await writeNote(db, 'backup_taken', note).finally(() => db.destroy())
}
