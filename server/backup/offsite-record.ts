import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { backupTime } from './backup-files.ts'

/** What the offsite profile has sent to another place; no backup before the first success. */
export type OffsiteRecord = { name: string; at: Date } | { name: null; at: null }

const NOTHING_SENT: OffsiteRecord = { name: null, at: null }

/** Reads what `server/offsite/offsite.sh` writes; undefined where the offsite profile has never run. */
export function readOffsiteRecord(dataDir: string): OffsiteRecord | undefined {
  const path = join(dataDir, 'offsite', 'offsite.json')
  if (!existsSync(path)) return undefined
  try {
    const { backup: name } = JSON.parse(readFileSync(path, 'utf8'))
    const at = backupTime(name)
    return at ? { name, at } : NOTHING_SENT
  } catch {
    // Unreadable or half a file: it proves nothing.
    return NOTHING_SENT
  }
}
