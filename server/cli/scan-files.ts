import { createReadStream, type Dirent, existsSync, readdirSync, realpathSync, statSync } from 'node:fs'
import { join, relative } from 'node:path'
import { json } from 'node:stream/consumers'
import { identityOf } from '../database/identity-of.ts'

// `scanFiles` runs this as a separate program and explains why. It must never open a database with SQLite.

/** A file that is a database or contains the text. `name` is relative to DATA_DIR, or absolute outside of it. */
export type ScannedFile = {
  file: string
  name: string
  identity: string
  isDatabase: boolean
  holdsText: boolean
}

const SQLITE_HEADER = 'sqlite format 3\0'
const CHUNK_BYTES = 1 << 20

/** The relevant files, and the names of what could not be read. */
export type Scan = { files: ScannedFile[]; unread: string[] }

type ScanRequest = { dataDir: string; backupDir?: string; text: string }
type Found = { file: string; name: string }

const { dataDir, backupDir, text } = (await json(process.stdin)) as ScanRequest
const scan: Scan = { files: [], unread: [] }
const direct: Found[] = []
const linked: Found[] = []
collect(dataDir, (path) => relative(dataDir, path))
if (backupDir) collect(backupDir, (path) => path, { isMixed: true })
for (const found of withoutRepeats([...direct, ...linked])) await scanFile(found)
scan.unread.sort()
process.stdout.write(JSON.stringify(scan))

/** Collects a folder's files. A mixed folder also has unrelated files: only backups at its top level count. */
function collect(folder: string, nameOf: (path: string) => string, { isMixed = false } = {}) {
  for (const entry of entriesOf(folder, nameOf)) {
    // The file system's own folder at the root of a volume; only root can read it.
    if (entry.name === 'lost+found') continue
    if (isMixed && !entry.name.startsWith('leads-')) continue
    const file = join(folder, entry.name)
    const name = nameOf(file)
    if (entry.isFile()) direct.push({ file, name })
    if (entry.isDirectory() && !isMixed) collect(file, nameOf)
    if (entry.isSymbolicLink()) attempt(name, () => follow(file, name))
  }
}

function entriesOf(folder: string, nameOf: (path: string) => string): Dirent[] {
  const list = () =>
    readdirSync(folder, { withFileTypes: true }).toSorted((a, b) => (a.name < b.name ? -1 : 1))
  return attempt(nameOf(folder) || folder, list) ?? []
}

/** Adds the target of a link and its logs, which SQLite keeps next to the target. */
function follow(link: string, name: string) {
  const file = realpathSync(link)
  if (!statSync(file).isFile()) return
  linked.push({ file, name })
  for (const suffix of ['-wal', '-journal'])
    if (existsSync(`${file}${suffix}`)) linked.push({ file: `${file}${suffix}`, name: `${name}${suffix}` })
}

function withoutRepeats(all: Found[]): Found[] {
  const known = new Set<string>()
  return all.filter(({ file, name }) => {
    const path = attempt(name, () => realpathSync(file))
    if (!path || known.has(path)) return false
    known.add(path)
    return true
  })
}

async function scanFile({ file, name }: Found) {
  try {
    const scanned = { file, name, identity: identityOf(file), ...(await readAll(file)) }
    if (scanned.isDatabase || scanned.holdsText) scan.files.push(scanned)
  } catch (error) {
    report(name, error)
  }
}

function attempt<Result>(name: string, act: () => Result): Result | undefined {
  try {
    return act()
  } catch (error) {
    report(name, error)
    return undefined
  }
}

function report(name: string, error: unknown) {
  // Missing (PostgreSQL needs no data folder), or deleted since its folder was listed.
  if ((error as NodeJS.ErrnoException).code !== 'ENOENT') scan.unread.push(name)
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
