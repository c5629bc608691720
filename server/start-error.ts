import { RestorePending } from './backup/finish-restore.ts'
import { BrokenLock, DataDirectoryInUse } from './database/lock-data-directory.ts'
import { OtherVersion } from './database/migrate.ts'
import { DatabaseInUse, NotDurable, StorageUnavailable } from './database/storage-error.ts'
import { InvalidEnvironment } from './env.ts'
import { errorFacts } from './error-facts.ts'

// Only root sees other users' programs, so fuser needs root. With the `*`, it also finds a program that has only the -shm
// file open.
const holderHint = 'On Linux, run `fuser -v DATA_DIR/leads.db*` as root to find it.'
// Codes are matched by prefix, because SQLite's extended codes add a suffix.
const hints: Record<string, string> = {
  EADDRINUSE:
    'The port is already in use, perhaps by a server that is still running. Stop it, or change PORT.',
  EADDRNOTAVAIL: 'HOST is not an address of this machine. Remove it to listen on all addresses.',
  ENOTFOUND: 'HOST is not a name of this machine. Remove it to listen on all addresses.',
  EACCES: 'Permission denied: only root may listen on this port. Set PORT to 1024 or higher.',
  ENOSPC: 'The disk is full.',
  EISDIR: 'There is a folder where a file should be.',
  SQLITE_BUSY: `Another program is using the database. Close it, then try again. ${holderHint}`,
  SQLITE_PROTOCOL: `Another program has locked files next to the database. Close it, then try again; do not delete any file. ${holderHint}`,
  SQLITE_CANTOPEN:
    'The database cannot be opened. Check the owner of DATA_DIR, and that it is not mounted read-only.',
  SQLITE_READONLY: 'The database is read-only. Check the owner and the mount of DATA_DIR.',
  SQLITE_FULL: 'The disk of DATA_DIR is full.',
  SQLITE_IOERR: 'The disk of DATA_DIR reports errors. Check it before anything else.',
  SQLITE_NOTADB:
    'leads.db is not an SQLite database. It was not changed: restore a backup, or move the file away.',
  SQLITE_CORRUPT: 'leads.db is damaged. It was not changed: restore a backup, or move the file away.',
}

const permissionHint = (path: string) =>
  `Permission denied: ${path}. Check its owner: the server and the commands need the same user.`
// Hints for errors that have a path.
const fileHints: Record<string, (path: string) => string> = {
  EACCES: permissionHint,
  EPERM: permissionHint,
  EROFS: (path) => `${path} cannot be written: its file system is mounted read-only.`,
  EEXIST: (path) => `${path} is a file, but must be a folder. Check DATA_DIR and BACKUP_DIR.`,
  ENOTDIR: (path) => `${path}: there is a file where a folder should be.`,
  ENOENT: (path) =>
    /(?:client|spam)[\\/]dist/.test(path)
      ? 'The site is not built yet. Run: npm run build'
      : `${path} does not exist, or its folder does not.`,
}

// These errors have messages written for the operator.
const readableErrors = [
  InvalidEnvironment,
  DataDirectoryInUse,
  BrokenLock,
  DatabaseInUse,
  RestorePending,
  OtherVersion,
  NotDurable,
]

/** Explains to the operator why the server doesn't start, and how to fix it. Includes a stack only for bugs. */
export function describeStartError(error: unknown): string {
  if (readableErrors.some((kind) => error instanceof kind)) return (error as Error).message
  if (error instanceof StorageUnavailable)
    return `PostgreSQL cannot be used: ${error.message}.\nCheck DATABASE_URL, whether the database server is running, and whether it accepts connections from this machine.`
  const { code, path, message, stack } = errorFacts(error)
  const name = String(code)
  const hint =
    (path && fileHints[name]?.(path)) ??
    Object.entries(hints).find(([prefix]) => name.startsWith(prefix))?.[1]
  return hint ? `${hint}\n(${message})` : String(stack ?? error)
}
