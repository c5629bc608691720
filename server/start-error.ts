import { DataDirectoryInUse } from './database/lock-data-directory.ts'
import { InvalidEnvironment } from './env.ts'

const hints: Record<string, string> = {
  EADDRINUSE: 'The port is already in use. Set PORT to another one.',
  EACCES: 'The server may not do that. Check the owner of DATA_DIR, and PORT if it is below 1024.',
  SQLITE_CANTOPEN:
    'The database cannot be opened. Check that DATA_DIR exists and belongs to the user of the server.',
  SQLITE_READONLY: 'The database cannot be written. Check the owner and the mount of DATA_DIR.',
  SQLITE_NOTADB:
    'leads.db is not an SQLite database. It was left as it is; restore a backup or move it away.',
  SQLITE_CORRUPT: 'leads.db is damaged. It was left as it is; restore a backup or move it away.',
}

/** What an operator needs to read when the server does not start: the reason, what to do, and a stack only for bugs. */
export function describeStartError(error: unknown): string {
  if (error instanceof InvalidEnvironment || error instanceof DataDirectoryInUse) return error.message
  const { code, path, message, stack } = Object(error) as Record<string, string | undefined>
  if (code === 'ENOENT' && path?.includes('dist')) return 'The page is not built yet. Run: npm run build'
  const hint = hints[code ?? '']
  return hint ? `${hint}\n(${message})` : String(stack ?? error)
}
