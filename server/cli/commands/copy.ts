import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Command } from 'commander'
import { type Counts, copyLeads, describeCounts, NotEmpty } from '../../backup/copy-leads.ts'
import { assertNoRestorePending } from '../../backup/finish-restore.ts'
import { count } from '../../count.ts'
import type { Database } from '../../database/schema.ts'
import { openDatabaseExclusively } from '../../database/sqlite.ts'
import { parseEnv } from '../../env.ts'
import { print, printJson } from '../print.ts'
import { createProgress } from '../progress.ts'
import { CommandError, exitCodes } from '../run-command.ts'

type Options = { to?: string; json?: true }

export function addCopy(program: Command) {
  program
    .command('copy')
    .argument('[file]', 'the backup to restore, instead of DATA_DIR/leads.db')
    .description('migrate everything from SQLite to an empty PostgreSQL database; stop the server first')
    .option('--to <url>', 'postgres://user:password@host:5432/name; default: DATABASE_URL')
    .option('--json', 'print the number of rows copied, as a JSON object')
    .action(async (file: string | undefined, { to, json }: Options) => {
      const { DATA_DIR, DATABASE_URL } = parseEnv({ ...process.env, ...(to && { DATABASE_URL: to }) })
      if (!DATABASE_URL)
        throw new CommandError(
          'Specify the PostgreSQL database: --to postgres://user:password@host:5432/name',
          exitCodes.usage,
        )
      const counts = await withSource(DATA_DIR, file, (source) =>
        copyInto(DATABASE_URL, source, file !== undefined),
      )
      if (json) printJson(counts)
      else print(describe(counts))
    })
}

/** Opens the file exclusively, so that no running server can add leads that the copy would miss. */
async function withSource(
  dataDir: string,
  file: string | undefined,
  work: (db: Database) => Promise<Counts>,
) {
  const path = file ?? join(dataDir, 'leads.db')
  if (!existsSync(path)) throw new CommandError(`There is no file ${path}.`, exitCodes.nothingDone)
  assertNoRestorePending(dataDir)
  const source = openDatabaseExclusively(path)
  try {
    return await work(source)
  } finally {
    await source.destroy()
  }
}

async function copyInto(url: string, source: Database, isBackup: boolean): Promise<Counts> {
  const progress = createProgress((leads) => `${count(leads, 'lead')} copied`)
  // Loaded here, so that commands on SQLite don't load the PostgreSQL code.
  const { preparePostgres } = await import('../../database/postgres.ts')
  const target = await preparePostgres(url)
  try {
    return await copyLeads(source, target, { onProgress: progress.show, isBackup })
  } catch (error) {
    if (error instanceof NotEmpty) throw new CommandError(`Nothing was copied. ${error.message}`)
    throw error
  } finally {
    progress.clear()
    await target.destroy()
  }
}

const describe = (counts: Counts) =>
  `Copied and verified: ${describeCounts(counts)}.
Now set DATABASE_URL and start the server. The SQLite file is unchanged: keep it until you have checked that everything is there.`
