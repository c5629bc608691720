import { StorageUnavailable } from '../database/storage-error.ts'
import { errorFacts, OperatorError } from '../errors/error-facts.ts'

// SQLite's extended codes add a suffix, so a hint applies to every code that begins like this.
const hints = [
  [/^EADDRINUSE/, 'The port is already in use, perhaps by another server. Stop it, or change PORT.'],
  [/^(EADDRNOTAVAIL|ENOTFOUND)/, 'HOST is not an address of this machine. Remove it to listen on all.'],
  [/^(EEXIST|ENOTDIR|EISDIR)/, 'There is a file where a folder should be, or the other way around.'],
  // The last one if there is no room for SQLite's -shm file.
  [/^(ENOSPC|SQLITE_FULL|SQLITE_IOERR_SHMSIZE)/, 'The disk is full.'],
  [/^SQLITE_IOERR/, 'The disk of DATA_DIR reports errors. Check it before anything else.'],
  [/^SQLITE_CANTOPEN/, 'The database cannot be opened. Check the owner and the mount of DATA_DIR.'],
  [
    /^(EACCES|EPERM|EROFS|SQLITE_READONLY)/,
    'Access denied. The user of the server and the commands must own this file or folder, such as DATA_DIR and BACKUP_DIR, and it must not be mounted read-only.',
  ],
  // Only root sees other users' programs, so fuser needs root. With the `*`, it also finds a
  // program that has only the -shm file open.
  [
    /^SQLITE_(BUSY|PROTOCOL)/,
    'Another program is using the database. Close it, then try again; do not delete any file. On Linux, run `fuser -v DATA_DIR/leads.db*` as root to find it.',
  ],
  [
    /^SQLITE_(NOTADB|CORRUPT)/,
    'leads.db is damaged, or not an SQLite database. It was not changed: restore a backup, or move the file away.',
  ],
] as const

/**
 * Explains to the operator why the server doesn't start, and how to fix it. Includes a stack only
 * for bugs.
 */
export function describeStartError(error: unknown): string {
  if (error instanceof OperatorError) return error.message
  if (error instanceof StorageUnavailable)
    return `PostgreSQL cannot be used: ${error.message}.\nCheck DATABASE_URL, whether the database server is running, and whether it accepts connections from this machine.`
  const { code, path = '', message, stack, syscall } = errorFacts(error)
  if (code === 'EACCES' && syscall === 'listen')
    return `Access denied. Choose a PORT above 1023.\n(${message})`
  if (code === 'ENOENT' && syscall === 'mkdir')
    return `${path} cannot be created. Correct DATA_DIR or BACKUP_DIR.`
  if (code === 'ENOENT')
    return /(client|spam)[\\/]dist/.test(path)
      ? 'The site is not built yet. Run: npm run build'
      : String(message)
  const [, hint] = hints.find(([pattern]) => pattern.test(String(code))) ?? []
  return hint ? `${hint}\n(${message})` : String(stack ?? error)
}
