import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { ScannedFile } from './scan-files.ts'

const script = join(import.meta.dirname, 'scan-files.ts')

/**
 * Looks into every file below the folder, byte for byte. In a process without a database: when a process closes a file,
 * the system drops all of its locks on that file, also those of SQLite, and another process then writes over our writes.
 */
export async function scanFiles(folder: string, text: string): Promise<ScannedFile[]> {
  const scan = promisify(execFile)(process.execPath, [script], { maxBuffer: Number.POSITIVE_INFINITY })
  // Not as an argument: those are in the list of processes, which everybody may read.
  scan.child.stdin?.end(JSON.stringify({ folder, text }))
  return JSON.parse((await scan).stdout)
}

/** The paths, from the folder on, of every file below it that holds the text in whatever case. */
export async function filesHolding(folder: string, text: string): Promise<string[]> {
  const files = await scanFiles(folder, text)
  return files.filter(({ holdsText }) => holdsText).map(({ path }) => path)
}
