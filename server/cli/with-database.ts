import { openExistingStorage } from '../database/open-storage.ts'
import type { Database } from '../database/schema.ts'
import { parseEnv } from '../env.ts'
import { CommandError } from './run-command.ts'

export type CommandContext = { dataDir: string; backupDir: string; now: () => Date }

/** Opens the database, even while the server runs, passes it to `work`, and always closes it. */
export async function withDatabase(
  work: (db: Database, context: CommandContext) => Promise<void>,
): Promise<void> {
  const env = parseEnv(process.env)
  const db = await openExistingStorage(env)
  if (!db) throw new CommandError(`No leads yet: there is no leads.db in ${env.DATA_DIR}.`)
  const now = () => new Date()
  await work(db, { dataDir: env.DATA_DIR, backupDir: env.BACKUP_DIR, now }).finally(() => db.destroy())
}
