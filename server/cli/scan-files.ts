import { createReadStream, type Dirent, existsSync, readdirSync } from 'node:fs'
import { join, relative } from 'node:path'
import { json } from 'node:stream/consumers'
import { identityOf } from '../database/identity-of.ts'

// Run by `scanFiles`, which says why this is a program of its own. It must never open a database with SQLite.

/** A file that is a database or holds the text; the path from the folder on. */
export type ScannedFile = { path: string; identity: string; isDatabase: boolean; holdsText: boolean }

const SQLITE_HEADER = 'sqlite format 3\0'
const CHUNK_BYTES = 1 << 20

const { folder, text } = (await json(process.stdin)) as { folder: string; text: string }
const found: ScannedFile[] = []
for (const file of allFiles()) {
  const scanned = await scanFile(file)
  if (scanned?.isDatabase || scanned?.holdsText) found.push(scanned)
}
process.stdout.write(JSON.stringify(found))

/** In the order of their names; none where the folder is missing, as it may be with PostgreSQL. */
function allFiles(): string[] {
  if (!existsSync(folder)) return []
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry: Dirent) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
}

async function scanFile(file: string): Promise<ScannedFile | undefined> {
  try {
    return { path: relative(folder, file), identity: identityOf(file), ...(await readAll(file)) }
  } catch (error) {
    // Removed since the folder was listed.
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

async function readAll(file: string) {
  const wanted = text.toLowerCase()
  let isDatabase: boolean | undefined
  let tail = ''
  for await (const chunk of createReadStream(file, { encoding: 'latin1', highWaterMark: CHUNK_BYTES })) {
    const here = tail + String(chunk).toLowerCase()
    isDatabase ??= here.startsWith(SQLITE_HEADER)
    if (here.includes(wanted)) return { isDatabase, holdsText: true }
    // The text can be split between two chunks.
    tail = here.slice(-wanted.length)
  }
  return { isDatabase: isDatabase ?? false, holdsText: false }
}
