import { execFile } from 'node:child_process'
import { existsSync, realpathSync } from 'node:fs'
import { join, sep } from 'node:path'
import { promisify } from 'node:util'
import type { Scan } from './scan-files.ts'

const script = join(import.meta.dirname, 'scan-files.ts')

/** The two folders that hold personal data. */
export type DataFolders = { dataDir: string; backupDir: string }

/**
 * Looks into every file below `dataDir` and every backup in a `backupDir` outside, byte for byte. In a process without a
 * database: when a process closes a file, the system drops all of its locks on that file, also those of SQLite, and
 * another process then writes over our writes.
 */
export async function scanFiles({ dataDir, backupDir }: DataFolders, text: string): Promise<Scan> {
  const scan = promisify(execFile)(process.execPath, [script], { maxBuffer: Number.POSITIVE_INFINITY })
  const outside = isInside(backupDir, dataDir) ? undefined : backupDir
  // Not as an argument: those are in the list of processes, which everybody may read.
  scan.child.stdin?.end(JSON.stringify({ dataDir, backupDir: outside, text }))
  return JSON.parse((await scan).stdout)
}

/** The names of the files that hold the text in whatever case, and of what could not be looked into. */
export async function filesHolding(folders: DataFolders, text: string) {
  const { files, unread } = await scanFiles(folders, text)
  return { holding: files.filter(({ holdsText }) => holdsText).map(({ name }) => name), unread }
}

const isInside = (folder: string, parent: string) =>
  existsSync(folder) &&
  existsSync(parent) &&
  `${realpathSync(folder)}${sep}`.startsWith(`${realpathSync(parent)}${sep}`)
