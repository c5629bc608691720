import '../check-business.ts'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { Command } from 'commander'
import { newestBackupFile } from '../backup/newest-backup.ts'
import { takeBackup } from '../backup/take-backup.ts'
import { count } from '../count.ts'
import { joinStorage, type Place } from '../database/open-storage.ts'
import { type Env, parseEnv } from '../env.ts'
import { runCommand, showProgress } from './run-command.ts'

const program = new Command('backup')
  .description('Copies the leads to BACKUP_DIR and verifies the copy. Safe beside the running server.')
  .option('--json', 'the result as a JSON object')
  .action(async ({ json }: { json?: true }) => {
    const env = parseEnv(process.env)
    const { DATA_DIR, DATABASE_URL } = env
    if (!DATABASE_URL && !existsSync(join(DATA_DIR, 'leads.db')))
      throw new Error(`There is nothing to back up: ${DATA_DIR} has no leads.db.`)
    const report = await takeBackup(env, await timeAt(env), showProgress('Copying'))
    const megabytes = (report.bytes / 1e6).toFixed(1)
    process.stdout.write(
      json
        ? `${JSON.stringify(report)}\n`
        : `Verified: ${count(report.leads, 'lead')}, ${megabytes} MB.\n${report.path}\n${report.warning ? `${report.warning}\n` : ''}${isOnSameDisk(env) ? 'It is on the same disk as the leads: copy it elsewhere, too.\n' : ''}`,
    )
  })

const isOnSameDisk = ({ DATA_DIR, BACKUP_DIR, BACKUP_EVERY_HOURS, DATABASE_URL }: Env) =>
  !DATABASE_URL &&
  newestBackupFile(
    {
      dataDir: DATA_DIR,
      backupDir: BACKUP_DIR,
      everyHours: BACKUP_EVERY_HOURS,
      mountInfo: '',
    },
    new Date(),
  ).risks.includes('same disk')

/** The time by which the copies of the program find out how old a backup is: that of the database they share. */
async function timeAt(place: Place): Promise<Date> {
  const storage = place.DATABASE_URL ? await joinStorage(place) : undefined
  await storage?.close()
  return storage?.now() ?? new Date()
}

await runCommand(program)
