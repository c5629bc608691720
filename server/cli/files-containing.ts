import { execFile } from 'node:child_process'
import { existsSync, realpathSync } from 'node:fs'
import { join, sep } from 'node:path'
import { promisify } from 'node:util'
import type { Scan } from './scan-files.ts'

/** The two folders with personal data. */
export type DataFolders = { dataDir: string; backupDir: string }

/**
 * Searches every file in `dataDir`, and every backup in a `backupDir` outside it. A separate process does the search,
 * because ours has a database open: closing one of its files would drop all of our POSIX locks on that file, including
 * SQLite's, so another process could overwrite our writes.
 */
export async function scanFiles({ dataDir, backupDir }: DataFolders, text: string): Promise<Scan> {
  const scan = promisify(execFile)(process.execPath, [join(import.meta.dirname, 'scan-files.ts')], {
    maxBuffer: Number.POSITIVE_INFINITY,
  })
  const outside = isInside(backupDir, dataDir) ? undefined : backupDir
  // The text is passed on stdin, because every user can see the arguments in the process list.
  scan.child.stdin?.end(JSON.stringify({ dataDir, backupDir: outside, text }))
  return JSON.parse((await scan).stdout)
}

/** The names of files that contain the text, ignoring case, and of unreadable files. */
export async function filesContaining(folders: DataFolders, text: string) {
  const { files, unread } = await scanFiles(folders, text)
  return { matching: files.filter(({ containsText }) => containsText).map(({ name }) => name), unread }
}

const isInside = (folder: string, parent: string) =>
  existsSync(folder) &&
  existsSync(parent) &&
  `${realpathSync(folder)}${sep}`.startsWith(`${realpathSync(parent)}${sep}`)
