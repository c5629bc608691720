import '../start/check-business.ts'
import { statSync } from 'node:fs'
import { basename } from 'node:path'
import { Command } from 'commander'
import { restoreBackup } from '../backup/restore-backup.ts'
import { UnusableDatabase } from '../database/copy-database.ts'
import { parseEnv } from '../env.ts'
import { listBackups } from '../files/backup-list.ts'
import { describeRestore } from './describe-restore.ts'
import { backupArgument, findBackup } from './find-backup.ts'
import { CommandError, runCommand } from './run-command.ts'
import { print } from './terminal.ts'

const program = new Command('restore')
  .description(
    'Replace the leads with a backup. Stop the server first. The current leads are kept in another file.',
  )
  .argument('[file]', `${backupArgument}; omit it to list the backups`)
  .action(async (given?: string) => {
    const env = parseEnv(process.env)
    const { DATA_DIR, BACKUP_DIR, DATABASE_URL } = env
    if (!given) return print(describeBackups(BACKUP_DIR))
    if (DATABASE_URL)
      throw new CommandError(
        'The leads are in PostgreSQL. Stop every server, create an empty database, and fill it with "leads copy FILE --to postgres://...".',
      )
    const file = findBackup(given, env)
    const restored = await restoreBackup({
      dataDir: DATA_DIR,
      backupDir: BACKUP_DIR,
      file,
      now: new Date(),
      onKeep: announce,
    }).catch(explainError(file))
    print(describeRestore(restored))
  })

function describeBackups(folder: string): string {
  const backups = listBackups(folder)
  if (backups.length === 0) return `There is no backup in ${folder}.`
  const lines = backups.map(({ path }) => `${basename(path)}  ${(statSync(path).size / 1e6).toFixed(1)} MB`)
  return [`Backups in ${folder}, newest first:`, ...lines].join('\n')
}

// This is printed before any file moves, so that the operator can find the leads even after an
// interruption.
const announce = (path: string) => process.stderr.write(`The current leads will be kept in ${path}.\n`)

const explainError = (file: string) => (error: unknown) => {
  if (error instanceof UnusableDatabase)
    throw new CommandError(`${file} cannot be restored, and nothing was changed: ${error.message}`)
  throw error
}

await runCommand(program)
