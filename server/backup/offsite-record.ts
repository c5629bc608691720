import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { backupTime } from './backup-files.ts'

/** The last uploaded backup. Both fields are null if nothing has been uploaded yet, or if the record is unreadable. */
export type OffsiteRecord = { name: string; at: Date } | { name: null; at: null }

const NO_UPLOAD: OffsiteRecord = { name: null, at: null }

/** Reads the record that `server/offsite/offsite.sh` writes; undefined if the Compose profile `offsite` has never run. */
export function readOffsiteRecord(dataDir: string): OffsiteRecord | undefined {
  const path = join(dataDir, 'offsite', 'offsite.json')
  if (!existsSync(path)) return undefined
  try {
    const { backup: name } = JSON.parse(readFileSync(path, 'utf8'))
    const at = backupTime(name)
    return at ? { name, at } : NO_UPLOAD
  } catch {
    return NO_UPLOAD
  }
}
