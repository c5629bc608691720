import '../check-business.ts'
import { existsSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import { Command } from 'commander'
import { listBackups } from '../backup/backup-files.ts'
import { UnusableDatabase } from '../backup/copy-database.ts'
import { restoreBackup } from '../backup/restore-backup.ts'
import { DataDirectoryInUse } from '../database/lock-data-directory.ts'
import { parseEnv } from '../env.ts'
import { describeRestore } from './describe-restore.ts'
import { runCommand, showProgress } from './run-command.ts'

const program = new Command('restore')
  .description('Puts a backup in the place of the leads. Stop the server first; the present leads are kept.')
  .argument(
    '[file]',
    'a path, or the name of a file in BACKUP_DIR or DATA_DIR; without it, lists the backups',
  )
  .action(async (given?: string) => {
    const { DATA_DIR, BACKUP_DIR, DATABASE_URL } = parseEnv(process.env)
    if (!given) {
      process.stdout.write(`${describeBackups(BACKUP_DIR)}\n`)
      return
    }
    if (DATABASE_URL)
      throw new Error(
        'The leads are kept in PostgreSQL: stop every server, make an empty database, and bring the file there with "leads copy FILE --to postgres://...".',
      )
    const places = [given, join(BACKUP_DIR, given), join(DATA_DIR, given)]
    const file = places.find((path) => existsSync(path) && !statSync(path).isDirectory())
    if (!file) throw new Error(`There is no file ${given}, here, in ${BACKUP_DIR} or in ${DATA_DIR}.`)
    const done = await restoreBackup(DATA_DIR, file, new Date(), announce, showProgress('Copying')).catch(
      inWords(file),
    )
    process.stdout.write(`${describeRestore(done)}\n`)
  })

function describeBackups(folder: string): string {
  const backups = listBackups(folder)
  if (backups.length === 0) return `There is no backup in ${folder}.`
  const lines = backups.map(({ path }) => `${basename(path)}  ${(statSync(path).size / 1e6).toFixed(1)} MB`)
  return [`Backups in ${folder}, the newest first:`, ...lines].join('\n')
}

// Before anything is moved: whoever is interrupted then knows where the leads are.
const announce = (path: string) => process.stderr.write(`The leads from before the restore go to ${path}.\n`)

const inWords = (file: string) => (error: unknown) => {
  if (error instanceof DataDirectoryInUse)
    throw new Error('The server is running. Stop it first, then try again.')
  if (error instanceof UnusableDatabase)
    throw new Error(`${file} cannot be restored, and nothing was changed: ${error.message}`)
  throw error
}

await runCommand(program)
