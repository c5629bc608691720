import { accessSync, constants, existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Command } from 'commander'
import { sql } from 'kysely'
import { copyLeads, describeCounts } from '../../backup/copy-leads.ts'
import { type Removed, removeOutdated } from '../../backup/remove-outdated.ts'
import { copyDatabase, preparedFile, removeDatabase, UnusableDatabase } from '../../database/copy-database.ts'
import { rewriteDatabase } from '../../database/differences.ts'
import { readMigrated } from '../../database/migrate.ts'
import type { Database } from '../../database/schema.ts'
import { openDatabaseExclusively } from '../../database/sqlite.ts'
import { isDiskFailure } from '../../database/storage-error.ts'
import { type Env, parseEnv } from '../../env.ts'
import { makeFolder } from '../../files/private-files.ts'
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

/** Copies a database file into the PostgreSQL database. A backup loses what is out of date. */
async function copyFile(path: string, backup: string | undefined, env: Env, url: string) {
  const file = isWritable(path) ? path : await copyToDataDir(path, env.DATA_DIR)
  // No running server may add leads that the copy would miss.
  const source = openDatabaseExclusively(file)
  let removed: Removed | undefined
  const finish = async (copy: Database) => {
    if (!backup) return
    const erasures = [env.BACKUP_DIR, dirname(backup)].flatMap(readErasures)
    removed = await removeOutdated(copy, { file: backup, erasures, now: new Date() })
  }
  try {
    await assertWhole(source)
    const counts = await readMigrated(source, async (db) => {
      // Loaded here, so that commands on SQLite don't load the PostgreSQL code.
      const { preparePostgres } = await import('../../database/postgres.ts')
      const target = await preparePostgres(url)
      try {
        const counts = await copyLeads(db, target, finish)
        // Nothing may be left of erased people.
        if (removed) await rewriteDatabase(target)
        return counts
      } finally {
        await target.destroy()
      }
    })
    return { counts, removed }
  } finally {
    await source.destroy()
    if (file !== path) removeDatabase(file)
  }
}

/** Throws unless the file is a whole database: a download may have been cut off, or may be empty. */
async function assertWhole(source: Database): Promise<void> {
  const tables = await source.introspection.getTables()
  if (tables.length === 0) throw new UnusableDatabase('it is empty')
  const { rows } = await sql<{ integrity_check: string }>`pragma integrity_check(1)`.execute(source)
  const check = rows[0]?.integrity_check
  if (check !== 'ok') throw new UnusableDatabase(String(check))
}

function isWritable(path: string): boolean {
  try {
    accessSync(path, constants.W_OK)
    return true
  } catch {
    return false
  }
}

/**
 * Copies a backup from a read-only disk, such as /data/offsite in a container: one of an earlier
 * version is migrated, in a transaction that is rolled back, but that has to write.
 */
async function copyToDataDir(path: string, dataDir: string): Promise<string> {
  makeFolder(dataDir)
  const file = preparedFile(dataDir)
  try {
    await copyDatabase(path, file)
    return file
  } catch (error) {
    removeDatabase(file)
    throw error
  }
}
