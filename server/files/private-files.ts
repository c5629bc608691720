import { chmodSync, existsSync, lstatSync, readdirSync, realpathSync, statSync } from 'node:fs'
import { join } from 'node:path'

// What is kept is personal data: for the user of the server alone.
const FOR_OTHERS = 0o077
const OURS_ALONE = 0o7700
// Of folders that all users share, such as /tmp.
const STICKY = 0o1000

// All folders that the program has, and what a file system puts at its root.
const ourFolders = ['mail', 'backups', 'offsite', 'lost+found']
const ourFile = /^(leads|server\.lock)/
const backupFile = /^leads-/

export type PrivateFolders = { dataDir: string; backupDir: string }

/** From now on, what this process makes is closed to other users. */
export const closeNewFiles = () => process.umask(FOR_OTHERS)

/**
 * Closes to other users what earlier versions left open. Only what belongs to this user; what the system refuses stays
 * as it is: no start fails for it.
 */
export function closeOpenFiles(folders: PrivateFolders) {
  for (const path of listOpenFiles(folders))
    try {
      const { uid, mode } = lstatSync(path)
      if (uid === process.getuid?.()) chmodSync(path, mode & OURS_ALONE)
    } catch {
      // Doctor warns of it.
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
 * `DATA_DIR` with our folders and files. `DATA_DIR` itself only where it has no other folders, for it may be one that
 * others use as well; of a `BACKUP_DIR` outside it, only our files.
 */
function listPrivate({ dataDir, backupDir }: PrivateFolders): string[] {
  const entries = entriesOf(dataDir)
  const folders = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name)
  const backups = join(dataDir, 'backups')
  return [
    ...(isOurs(dataDir, folders) ? [realpathSync(dataDir)] : []),
    ...['mail', 'backups'].filter((name) => folders.includes(name)).map((name) => join(dataDir, name)),
    ...filesOf(dataDir, ourFile),
    ...filesOf(backups, backupFile),
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
