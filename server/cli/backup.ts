import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { Command } from 'commander'
import { takeBackup } from '../backup/take-backup.ts'
import { parseEnv } from '../env.ts'
import { count } from './command-line.ts'
import { runCommand, showProgress } from './run-command.ts'

const program = new Command('backup')
  .description('Copies the leads to DATA_DIR/backups and verifies the copy. Safe beside the running server.')
  .option('--json', 'the result as a JSON object')
  .action(async ({ json }: { json?: true }) => {
    const { DATA_DIR, DATABASE_URL } = parseEnv(process.env)
    if (!DATABASE_URL && !existsSync(join(DATA_DIR, 'leads.db')))
      throw new Error(`There is nothing to back up: ${DATA_DIR} has no leads.db.`)
    const report = await takeBackup({ DATA_DIR, DATABASE_URL }, new Date(), showProgress('Copying'))
    const megabytes = (report.bytes / 1e6).toFixed(1)
    process.stdout.write(
      json
        ? `${JSON.stringify(report)}\n`
        : `Verified: ${count(report.leads, 'lead')}, ${megabytes} MB.\n${report.path}\nIt lies on the same disk: copy it to another machine.\n`,
    )
  })

await runCommand(program)
