import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { BackupReport } from './take-backup.ts'

/** Takes a backup in a child process, because copying a large database would block requests. */
export async function backUpInChildProcess(signal: AbortSignal): Promise<BackupReport> {
  // The child inherits the whole environment, because it may need variables such as `PGPASSWORD` or `NODE_EXTRA_CA_CERTS`.
  const args = [join(import.meta.dirname, '../cli/backup.ts'), '--json']
  const { stdout } = await promisify(execFile)(process.execPath, args, { signal }).catch(
    ({ message, stderr }) => Promise.reject(new Error(stderr || message)),
  )
  return JSON.parse(stdout)
}
