import '../start/check-business.ts'
import { existsSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import { Command } from 'commander'
import { restoreBackup } from '../backup/restore-backup.ts'
import { UnusableDatabase } from '../database/copy-database.ts'
import { parseEnv } from '../env.ts'
import { listBackups } from '../files/backup-list.ts'
import { describeRestore } from './describe-restore.ts'
import { CommandError, runCommand } from './run-command.ts'
import { print } from './terminal.ts'

const program = new Command('restore')
  .description(
    'Replace the leads with a backup. Stop the server first. The current leads are kept in another file.',
  )
  .argument('[file]', 'a path, or a file name in BACKUP_DIR or DATA_DIR; omit it to list the backups')
  .action(async (given?: string) => {
    const { DATA_DIR, BACKUP_DIR, DATABASE_URL } = parseEnv(process.env)
    if (!given) return print(describeBackups(BACKUP_DIR))
    if (DATABASE_URL)
      throw new CommandError(
        'The leads are in PostgreSQL. Stop every server, create an empty database, and fill it with "leads copy FILE --to postgres://...".',
      )
    const paths = [given, join(BACKUP_DIR, given), join(DATA_DIR, given)]
    const file = paths.find((path) => existsSync(path) && !statSync(path).isDirectory())
    if (!file) throw new CommandError(`There is no file ${given} here, in ${BACKUP_DIR} or in ${DATA_DIR}.`)
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
