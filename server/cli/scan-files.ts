import { createReadStream, type Dirent, existsSync, readdirSync, realpathSync, statSync } from 'node:fs'
import { join, relative } from 'node:path'
import { json } from 'node:stream/consumers'
import { identityOf } from '../files/identity-of.ts'

// `scanFiles` runs this program in a separate process, which must never use SQLite: when a process closes a file, it loses
// all its POSIX locks on that file. Closing a searched database would drop SQLite's locks.

/** A file that is a database or contains the text. `name` is relative to DATA_DIR; outside it, absolute. */
export type ScannedFile = {
  file: string
  name: string
  identity: string
  isDatabase: boolean
  containsText: boolean
}

const SQLITE_HEADER = 'sqlite format 3\0'
const CHUNK_BYTES = 1 << 20

/** All databases, all other files that contain the text, and the names of unreadable files and folders. */
export type Scan = { files: ScannedFile[]; unread: string[] }

type ScanRequest = { dataDir: string; backupDir?: string; text: string }
type Found = { file: string; name: string }

const { dataDir, backupDir, text } = (await json(process.stdin)) as ScanRequest
const scan: Scan = { files: [], unread: [] }
const direct: Found[] = []
const linked: Found[] = []
collect(dataDir, (path) => relative(dataDir, path))
// BACKUP_DIR may also contain unrelated files.
if (backupDir) collect(backupDir, (path) => path, { onlyBackups: true })
for (const found of withoutDuplicates([...direct, ...linked])) await scanFile(found)
scan.unread.sort()
process.stdout.write(JSON.stringify(scan))

/** Collects the files in a folder and its subfolders, or only the backups in the folder itself. */
function collect(folder: string, nameOf: (path: string) => string, { onlyBackups = false } = {}) {
  for (const entry of entriesOf(folder, nameOf)) {
    // This system folder is readable only by root.
    if (entry.name === 'lost+found') continue
    if (onlyBackups && !entry.name.startsWith('leads-')) continue
    const file = join(folder, entry.name)
    const name = nameOf(file)
    if (entry.isFile()) direct.push({ file, name })
    if (entry.isDirectory() && !onlyBackups) collect(file, nameOf)
    if (entry.isSymbolicLink()) attempt(name, () => follow(file, name))
  }
}

function entriesOf(folder: string, nameOf: (path: string) => string): Dirent[] {
  const list = () =>
    readdirSync(folder, { withFileTypes: true }).toSorted((a, b) => (a.name < b.name ? -1 : 1))
  return attempt(nameOf(folder) || folder, list) ?? []
}

/** Adds the target of a link, and the logs that SQLite keeps next to the target. */
function follow(link: string, name: string) {
  const file = realpathSync(link)
  if (!statSync(file).isFile()) return
  linked.push({ file, name })
  for (const suffix of ['-wal', '-journal'])
    if (existsSync(`${file}${suffix}`)) linked.push({ file: `${file}${suffix}`, name: `${name}${suffix}` })
}

function withoutDuplicates(all: Found[]): Found[] {
  const seen = new Set<string>()
  return all.filter(({ file, name }) => {
    const path = attempt(name, () => realpathSync(file))
    if (!path || seen.has(path)) return false
    seen.add(path)
    return true
  })
}

async function scanFile({ file, name }: Found) {
  try {
    const scanned = { file, name, identity: identityOf(file), ...(await readAll(file)) }
    if (scanned.isDatabase || scanned.containsText) scan.files.push(scanned)
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
  // Ignores a missing data folder (PostgreSQL needs none) and files deleted during the scan.
  if ((error as NodeJS.ErrnoException).code !== 'ENOENT') scan.unread.push(name)
}

async function readAll(file: string) {
  const lowerText = text.toLowerCase()
  let isDatabase: boolean | undefined
  let tail = ''
  for await (const chunk of createReadStream(file, { encoding: 'latin1', highWaterMark: CHUNK_BYTES })) {
    const content = tail + String(chunk).toLowerCase()
    isDatabase ??= content.startsWith(SQLITE_HEADER)
    if (content.includes(lowerText)) return { isDatabase, containsText: true }
    // The text can be split between two chunks.
    tail = content.slice(-lowerText.length)
  }
  return { isDatabase: isDatabase ?? false, containsText: false }
}
