import {
  closeSync,
  constants,
  existsSync,
  fchmodSync,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
  realpathSync,
  statSync,
} from 'node:fs'
import { join } from 'node:path'

// Leads are personal data: only the server's user may access them.
const OTHERS = 0o077
const OTHERS_ENTER = 0o011
const OWNER_ONLY = 0o7700
// Set on folders that all users share, such as /tmp.
const STICKY = 0o1000

// The program's folders, and the one that a file system creates at its root.
const ourFolders = ['mail', 'backups', 'offsite', 'lost+found']
const ourFile = /^(leads|server\.lock)/
const backupFile = /^leads-/
const mailFile = /\.eml(?:\.part)?$/

type PrivateFolders = { dataDir: string; backupDir: string }

/** Makes new files of this process inaccessible to other users. */
export const restrictNewFiles = () => process.umask(OTHERS)

/**
 * Removes other users' access to files that earlier versions left open. Skips other owners' files and ignores errors.
 * Danger: call it before opening the database, because closing a file handle drops all of the process's locks on the file.
 */
export function restrictExposedFiles(folders: PrivateFolders) {
  for (const path of listExposedFiles(folders))
    try {
      restrictToOwner(path)
    } catch {
      // Doctor warns about it.
    }
}

/** Works on a descriptor: in a folder that others can write, the name may point to another file at any moment. */
function restrictToOwner(path: string) {
  const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants
  const file = openSync(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
  try {
    const stat = fstatSync(file)
    if (stat.uid === process.getuid?.() && (stat.isFile() || stat.isDirectory()))
      fchmodSync(file, stat.mode & OWNER_ONLY)
  } finally {
    closeSync(file)
  }
}

/** Private files and folders that other users can access, folders before their contents. Empty on Windows. */
export function listExposedFiles(folders: PrivateFolders): string[] {
  if (!process.getuid) return []
  return [...new Set(listPrivate(folders))].filter((path) => {
    const stat = lstatSync(path, { throwIfNoEntry: false })
    // A link may lead anywhere.
    return stat && !stat.isSymbolicLink() && (stat.mode & OTHERS) !== 0
  })
}

/**
 * Lists which of `DATA_DIR`, `mail` and `backups` other users can enter: they can read what an operator puts there, such
 * as a `leads.db` copied by hand. Empty on Windows.
 */
export function listAccessibleFolders(dataDir: string): string[] {
  if (!process.getuid) return []
  const folders = ['', 'mail', 'backups'].map((name) => join(dataDir, name)).filter(existsSync)
  return [...new Set(folders.map((path) => realpathSync(path)))].filter(
    (path) => (statSync(path).mode & OTHERS_ENTER) !== 0,
  )
}

/**
 * Our folders and files. `DATA_DIR` itself only if it contains no other folders: otherwise other programs may use it. In a
 * `BACKUP_DIR` elsewhere, only our files.
 */
function listPrivate({ dataDir, backupDir }: PrivateFolders): string[] {
  const entries = entriesOf(dataDir)
  const folders = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name)
  return [
    ...(isOurs(dataDir, folders) ? [realpathSync(dataDir)] : []),
    ...['mail', 'backups'].filter((name) => folders.includes(name)).map((name) => join(dataDir, name)),
    ...filesOf(dataDir, ourFile),
    // These folders may be links to another disk; then restrict only the files.
    ...filesOf(join(dataDir, 'mail'), mailFile),
    ...filesOf(join(dataDir, 'backups'), backupFile),
    ...filesOf(backupDir, backupFile),
  ]
}

const isOurs = (dataDir: string, folders: string[]) =>
  existsSync(dataDir) &&
  (statSync(dataDir).mode & STICKY) === 0 &&
  folders.every((name) => ourFolders.includes(name))

const filesOf = (folder: string, pattern: RegExp) =>
  entriesOf(folder)
    .filter((entry) => entry.isFile() && pattern.test(entry.name))
    .map(({ name }) => join(folder, name))

function entriesOf(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true })
  } catch {
    // Missing or unreadable: the code that needs it reports that.
    return []
  }
}
