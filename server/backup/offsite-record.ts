import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { backupTime } from './backup-files.ts'

/** The last uploaded backup; nulls if nothing has been uploaded yet. */
export type OffsiteRecord = { name: string; at: Date } | { name: null; at: null }

const NOTHING_SENT: OffsiteRecord = { name: null, at: null }

/** Reads the record of `server/offsite/offsite.sh`; undefined if the offsite profile never ran. */
export function readOffsiteRecord(dataDir: string): OffsiteRecord | undefined {
  const path = join(dataDir, 'offsite', 'offsite.json')
  if (!existsSync(path)) return undefined
  try {
    const { backup: name } = JSON.parse(readFileSync(path, 'utf8'))
    const at = backupTime(name)
    return at ? { name, at } : NOTHING_SENT
  } catch {
    // Invalid JSON.
    return NOTHING_SENT
  }
}
