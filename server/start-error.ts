import { RestorePending } from './database/finish-restore.ts'
import { BrokenLock, DataDirectoryInUse } from './database/lock-data-directory.ts'
import { DatabaseInUse } from './database/open-alone.ts'
import { OtherVersion } from './database/schema-age.ts'
import { NotDurable, StorageUnavailable } from './database/storage-error.ts'
import { InvalidEnvironment } from './env.ts'

// The program may belong to another user, and hold no more than the -shm beside the database.
const findHolder = 'On Linux, `fuser -v DATA_DIR/leads.db*` as root names it.'
// By the beginning of the code: SQLite's extended codes only say more of the same.
const hints: Record<string, string> = {
  EADDRINUSE:
    'The port is already in use, perhaps by a server that still runs. Stop it, or set PORT to another one.',
  EADDRNOTAVAIL: 'HOST is not an address of this machine. Leave it out to listen on all.',
  ENOTFOUND: 'HOST is not a name of this machine. Leave it out to listen on all.',
  EACCES: 'Permission denied: only root may listen on this port. Set PORT to 1024 or above.',
  ENOSPC: 'The disk is full.',
  EISDIR: 'A folder was found where a file belongs.',
  SQLITE_BUSY: `Another program holds the database. Close it, then try again. ${findHolder}`,
  SQLITE_PROTOCOL: `Another program holds locks beside the database. Close it, then try again; delete no file. ${findHolder}`,
  SQLITE_CANTOPEN:
    'The database cannot be opened. Check the owner of DATA_DIR, and that it is not mounted read-only.',
  SQLITE_READONLY: 'The database cannot be written. Check the owner and the mount of DATA_DIR.',
  SQLITE_FULL: 'The disk of DATA_DIR is full.',
  SQLITE_IOERR: 'The disk of DATA_DIR reports errors. Check it before anything else.',
  SQLITE_NOTADB: 'leads.db is not an SQLite database. It was not changed: restore a backup, or move it away.',
  SQLITE_CORRUPT: 'leads.db is damaged. It was not changed: restore a backup, or move it away.',
}

// Where Node names the file or folder that it is about.
const fileHints: Record<string, (path: string) => string> = {
  EACCES: (path) =>
    `Permission denied: ${path}. Check its owner: the server and the commands need the same user.`,
  EPERM: (path) =>
    `Permission denied: ${path}. Check its owner: the server and the commands need the same user.`,
  EROFS: (path) => `${path} cannot be written: its file system is mounted read-only.`,
  EEXIST: (path) => `${path} is a file. It must be a folder: check DATA_DIR and BACKUP_DIR.`,
  ENOTDIR: (path) => `${path} is, or is below, a file where a folder belongs.`,
  ENOENT: (path) =>
    /client[\\/]dist/.test(path)
      ? 'The page is not built yet. Run: npm run build'
      : `${path} does not exist, or its folder does not.`,
}

// Written for the operator already.
const plain = [
  InvalidEnvironment,
  DataDirectoryInUse,
  BrokenLock,
  DatabaseInUse,
  RestorePending,
  OtherVersion,
  NotDurable,
]

/** What an operator needs to read when the server does not start: the reason, what to do, and a stack only for bugs. */
export function describeStartError(error: unknown): string {
  if (plain.some((kind) => error instanceof kind)) return (error as Error).message
  if (error instanceof StorageUnavailable)
    return `PostgreSQL cannot be used: ${error.message}.\nCheck DATABASE_URL, whether the server runs, and whether it lets this machine in.`
  const { code, path, message, stack } = Object(error) as Record<string, string | undefined>
  // The exit code of a failed process is a number.
  const name = String(code)
  const hint =
    (path && fileHints[name]?.(path)) ??
    Object.entries(hints).find(([prefix]) => name.startsWith(prefix))?.[1]
  return hint ? `${hint}\n(${message})` : String(stack ?? error)
}
