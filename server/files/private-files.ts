import { existsSync, lstatSync, readdirSync, realpathSync, statSync } from 'node:fs'
import { join } from 'node:path'

const OTHERS = 0o077
const OTHERS_EXECUTE = 0o011
// The sticky bit. It is set on folders that several users share, such as /tmp.
const STICKY = 0o1000

// The file system ext4 creates `lost+found` in its root folder, so a folder that contains it can still be ours alone.
const ourFolders = ['mail', 'backups', 'offsite', 'lost+found']
const ourFile = /^(leads|server\.lock)/
const backupFile = /^leads-/
const mailFile = /\.eml(?:\.part)?$/

type PrivateFolders = { dataDir: string; backupDir: string }

/** Makes new files of this process inaccessible to other users. */
export const restrictNewFiles = () => process.umask(OTHERS)

/** Lists our private files and folders that other users can access. The list is empty on Windows. */
export function listExposedFiles(folders: PrivateFolders): string[] {
  if (!process.getuid) return []
  return [...new Set(listPrivate(folders))].filter((path) => {
    const stat = lstatSync(path, { throwIfNoEntry: false })
    // Links are skipped, because they may point to any file.
    return stat && !stat.isSymbolicLink() && (stat.mode & OTHERS) !== 0
  })
}

/**
 * Lists those of our folders that other users can enter. If someone copies a file into such a folder, other users may be
 * able to read it. The list is empty on Windows.
 */
export function listAccessibleFolders(dataDir: string): string[] {
  if (!process.getuid) return []
  const folders = ['', 'mail', 'backups'].map((name) => join(dataDir, name)).filter(existsSync)
  return [...new Set(folders.map((path) => realpathSync(path)))].filter(
    (path) => (statSync(path).mode & OTHERS_EXECUTE) !== 0,
  )
}

/** Lists our folders and files, except folders that other programs may also use. */
function listPrivate({ dataDir, backupDir }: PrivateFolders): string[] {
  const entries = entriesOf(dataDir)
  const folders = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name)
  return [
    ...(isOurs(dataDir, folders) ? [realpathSync(dataDir)] : []),
    ...['mail', 'backups'].filter((name) => folders.includes(name)).map((name) => join(dataDir, name)),
    ...filesOf(dataDir, ourFile),
    // `mail` and `backups` can be links to folders that other programs use, too. Then only our files in them are listed.
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
    // The folder is missing or unreadable. The code that needs the folder reports that.
    return []
  }
}
