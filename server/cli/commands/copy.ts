import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Command } from 'commander'
import { copyLeads, describeCounts } from '../../backup/copy-leads.ts'
import { removeOutdated } from '../../backup/remove-outdated.ts'
import { copyDatabase, preparedFile, removeDatabase, UnusableDatabase } from '../../database/copy-database.ts'
import { isServerRunning, lockDataDirectory } from '../../database/lock-data-directory.ts'
import { migrate } from '../../database/migrate.ts'
import type { Database } from '../../database/schema.ts'
import { openExclusively, toKysely } from '../../database/sqlite.ts'
import { isDiskFailure } from '../../database/storage-error.ts'
import { type Env, parseEnv } from '../../env.ts'
import { readErasures } from '../../leads/erase/erasures.ts'
import { describeRemoved } from '../describe-restore.ts'
import { backupArgument, findBackup } from '../find-backup.ts'
import { CommandError, exitCodes } from '../run-command.ts'
import { print } from '../terminal.ts'

export function addCopy(program: Command) {
  program
    .command('copy')
    .argument('[file]', `the backup to restore (${backupArgument}), instead of DATA_DIR/leads.db`)
    .description('migrate everything from SQLite to an empty PostgreSQL database; stop the server first')
    .option('--to <url>', 'postgres://user:password@host:5432/name; default: DATABASE_URL')
    .action(async (given: string | undefined, { to }: { to?: string }) => {
      const env = parseEnv({ ...process.env, ...(to && { DATABASE_URL: to }) })
      const url = env.DATABASE_URL
      if (!url)
        throw new CommandError(
          'Specify the PostgreSQL database: --to postgres://user:password@host:5432/name',
          exitCodes.usage,
        )
      const backup = given && findBackup(given, env, exitCodes.nothingDone)
      const path = backup ?? join(env.DATA_DIR, 'leads.db')
      if (!existsSync(path)) throw new CommandError(`There is no file ${path}.`, exitCodes.nothingDone)
      const { counts, removed } = await copyFile(path, backup, env, url).catch((error) => {
        if (!isDiskFailure(error) && !(error instanceof UnusableDatabase)) throw error
        throw new CommandError(`${path} cannot be copied, and nothing was changed: ${error.message}`)
      })
      print(`Copied and verified: ${describeCounts(counts)}.`)
      if (removed) print(describeRemoved(removed).join('\n'))
      print(
        `Now set DATABASE_URL and start the server. The SQLite file is unchanged: keep it until you have checked that everything is there.`,
      )
    })
}

/**
 * Copies a database file into the PostgreSQL database, from a copy that was verified and migrated.
 * A backup loses what is out of date.
 */
async function copyFile(path: string, backup: string | undefined, env: Env, url: string) {
  // No running server may add leads that the copy would miss, wherever its data is.
  if (isServerRunning(dirname(path))) throw new CommandError(`A server is using ${path}. Stop it first.`)
  const unlock = lockDataDirectory(env.DATA_DIR)
  const file = preparedFile(env.DATA_DIR)
  try {
    await copyDatabase(path, file)
    const source = toKysely(openExclusively(file))
    try {
      await migrate(source)
      const removed = backup && (await removeOutdatedFrom(source, backup, env))
      return { counts: await copyToPostgres(source, url), removed }
    } finally {
      await source.destroy()
    }
  } finally {
    removeDatabase(file)
    unlock()
  }
}

function removeOutdatedFrom(source: Database, file: string, { BACKUP_DIR }: Env) {
  const erasures = [BACKUP_DIR, dirname(file)].flatMap(readErasures)
  return source
    .transaction()
    .execute((transaction) => removeOutdated(transaction, { file, erasures, now: new Date() }))
}

async function copyToPostgres(source: Database, url: string) {
  // Loaded here, so that commands on SQLite don't load the PostgreSQL code.
  const { preparePostgres } = await import('../../database/postgres.ts')
  const target = await preparePostgres(url)
  return copyLeads(source, target).finally(() => target.destroy())
}
