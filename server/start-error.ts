import { RestorePending } from './database/finish-restore.ts'
import { BrokenLock, DataDirectoryInUse } from './database/lock-data-directory.ts'
import { DatabaseInUse } from './database/open-alone.ts'
import { OtherVersion } from './database/schema-age.ts'
import { NotDurable, StorageUnavailable } from './database/storage-error.ts'
import { InvalidEnvironment } from './env.ts'

// By the beginning of the code: SQLite's extended codes only say more of the same.
const hints: Record<string, string> = {
  EADDRINUSE: 'The port is already in use. Set PORT to another one.',
  EADDRNOTAVAIL: 'HOST is not an address of this machine. Leave it out to listen on all.',
  ENOTFOUND: 'HOST is not a name of this machine. Leave it out to listen on all.',
  EACCES: 'The server may not do that. Check the owner of DATA_DIR, and PORT if it is below 1024.',
  EROFS: 'DATA_DIR cannot be written: its file system is mounted read-only.',
  EEXIST: 'DATA_DIR is a file. It must be a folder.',
  ENOTDIR: 'DATA_DIR lies below a file. It must be a folder.',
  SQLITE_BUSY: 'Another program holds the database. Close it and start again.',
  SQLITE_CANTOPEN: 'The database cannot be opened. Check that DATA_DIR belongs to the user of the server.',
  SQLITE_READONLY: 'The database cannot be written. Check the owner and the mount of DATA_DIR.',
  SQLITE_FULL: 'The disk of DATA_DIR is full.',
  SQLITE_IOERR: 'The disk of DATA_DIR reports errors. Check it before anything else.',
  SQLITE_NOTADB:
    'leads.db is not an SQLite database. It was left as it is: restore a backup, or move it away.',
  SQLITE_CORRUPT: 'leads.db is damaged. It was left as it is: restore a backup, or move it away.',
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
  if (code === 'ENOENT' && path?.includes('dist')) return 'The page is not built yet. Run: npm run build'
  const hint = Object.entries(hints).find(([prefix]) => String(code).startsWith(prefix))?.[1]
  return hint ? `${hint}\n(${message})` : String(stack ?? error)
}
