import '../start/check-business.ts'
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { Command } from 'commander'
import { count } from '#shared/count.ts'
import { type BackupReport, takeBackup } from '../backup/take-backup.ts'
import { parseEnv } from '../env.ts'
import { CommandError, runCommand } from './run-command.ts'
import { print, printJson } from './terminal.ts'

const program = new Command('backup')
  .description('Back up the leads to BACKUP_DIR and verify the backup. Safe while the server runs.')
  .option('--json', 'print the result as a JSON object')
  .action(async ({ json }: { json?: true }) => {
    const env = parseEnv(process.env)
    const { DATA_DIR, DATABASE_URL } = env
    if (!DATABASE_URL && !statSync(join(DATA_DIR, 'leads.db'), { throwIfNoEntry: false }))
      throw new CommandError(`Nothing to back up: there is no leads.db in ${DATA_DIR}.`)
    const report = await takeBackup(env, new Date())
    if (json) printJson(report)
    else print(describe(report))
  })

const describe = ({ leads, bytes, path }: BackupReport) =>
  `Verified: ${count(leads, 'lead')}, ${(bytes / 1e6).toFixed(1)} MB.\n${path}`

await runCommand(program)
