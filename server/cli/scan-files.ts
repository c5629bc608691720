import { createReadStream, type Dirent, existsSync, readdirSync } from 'node:fs'
import { join, relative } from 'node:path'
import { json } from 'node:stream/consumers'
import { identityOf } from '../database/identity-of.ts'

// Run by `scanFiles`, which says why this is a program of its own. It must never open a database with SQLite.

/** A file that is a database or holds the text. The name is the path from DATA_DIR on, or the whole one outside. */
export type ScannedFile = {
  file: string
  name: string
  identity: string
  isDatabase: boolean
  holdsText: boolean
}

const SQLITE_HEADER = 'sqlite format 3\0'
const CHUNK_BYTES = 1 << 20

type Order = { dataDir: string; backupDir?: string; text: string }
const { dataDir, backupDir, text } = (await json(process.stdin)) as Order
const found: ScannedFile[] = []
for (const { file, name } of [...filesOfData(), ...backupsOutside()]) {
  const scanned = await scanFile(file, name)
  if (scanned?.isDatabase || scanned?.holdsText) found.push(scanned)
}
process.stdout.write(JSON.stringify(found))

/** In the order of their names; none where the folder is missing, as it may be with PostgreSQL. */
function filesOfData() {
  if (!existsSync(dataDir)) return []
  return readdirSync(dataDir, { recursive: true, withFileTypes: true })
    .filter((entry: Dirent) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
    .map((file) => ({ file, name: relative(dataDir, file) }))
}

/** That folder may hold other people's files. */
function backupsOutside() {
  if (!backupDir || !existsSync(backupDir)) return []
  return readdirSync(backupDir)
    .filter((name) => name.startsWith('leads-'))
    .map((name) => join(backupDir, name))
    .map((file) => ({ file, name: file }))
}

async function scanFile(file: string, name: string): Promise<ScannedFile | undefined> {
  try {
    return { file, name, identity: identityOf(file), ...(await readAll(file)) }
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
