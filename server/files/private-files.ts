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

// What is kept is personal data: for the user of the server alone.
const FOR_OTHERS = 0o077
const FOR_OTHERS_TO_ENTER = 0o011
const OURS_ALONE = 0o7700
// Of folders that all users share, such as /tmp.
const STICKY = 0o1000

// All folders that the program has, and what a file system puts at its root.
const ourFolders = ['mail', 'backups', 'offsite', 'lost+found']
const ourFile = /^(leads|server\.lock)/
const backupFile = /^leads-/
const mailFile = /\.eml(?:\.part)?$/

export type PrivateFolders = { dataDir: string; backupDir: string }

/** From now on, what this process makes is closed to other users. */
export const closeNewFiles = () => process.umask(FOR_OTHERS)

/**
 * Closes to other users what earlier versions left open. Only what belongs to this user; what the system refuses stays
 * as it is: no start fails for it. Before the database is opened: with a file that is closed here, this process loses
 * all of its locks on that file.
 */
export function closeOpenFiles(folders: PrivateFolders) {
  for (const path of listOpenFiles(folders))
    try {
      closeToOthers(path)
    } catch {
      // Doctor warns of it.
    }
}

/** By a descriptor: in a folder that others can write, something else may have the name at any moment. */
function closeToOthers(path: string) {
  const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants
  const file = openSync(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
  try {
    const stat = fstatSync(file)
    if (stat.uid === process.getuid?.() && (stat.isFile() || stat.isDirectory()))
      fchmodSync(file, stat.mode & OURS_ALONE)
  } finally {
    closeSync(file)
  }
}

/** What other users may read or change and should not, the folders before what is in them. Nothing on Windows. */
export function listOpenFiles(folders: PrivateFolders): string[] {
  if (!process.getuid) return []
  return [...new Set(listPrivate(folders))].filter((path) => {
    const stat = lstatSync(path, { throwIfNoEntry: false })
    // A link may lead anywhere.
    return stat && !stat.isSymbolicLink() && (stat.mode & FOR_OTHERS) !== 0
  })
}

/**
 * `DATA_DIR`, and where `mail` and `backups` in it lead, if other users can enter it: what is put there by hand, such as
 * a copy of `leads.db`, they can then read. Nothing on Windows.
 */
export function listEnterable(dataDir: string): string[] {
  if (!process.getuid) return []
  const folders = ['', 'mail', 'backups'].map((name) => join(dataDir, name)).filter(existsSync)
  return [...new Set(folders.map((path) => realpathSync(path)))].filter(
    (path) => (statSync(path).mode & FOR_OTHERS_TO_ENTER) !== 0,
  )
}

/**
 * `DATA_DIR` with our folders and files. `DATA_DIR` itself only where it has no other folders, for it may be one that
 * others use as well; of a `BACKUP_DIR` outside it, only our files.
 */
function listPrivate({ dataDir, backupDir }: PrivateFolders): string[] {
  const entries = entriesOf(dataDir)
  const folders = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name)
  return [
    ...(isOurs(dataDir, folders) ? [realpathSync(dataDir)] : []),
    ...['mail', 'backups'].filter((name) => folders.includes(name)).map((name) => join(dataDir, name)),
    ...filesOf(dataDir, ourFile),
    // These may be links to a larger disk, where the folder itself stays as it is.
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
    // Missing, or not for us: whoever needs it says so.
    return []
  }
}
