import { basename } from 'node:path'
import { backupTime } from './backup-files.ts'

/** What the owners are told about the backup that was restored. Its time is unknown if the file was renamed. */
export type RestoredBackup = { backupAt: string | null }

export const describeBackup = (file: string): RestoredBackup => ({
  backupAt: backupTime(basename(file))?.toISOString() ?? null,
})
