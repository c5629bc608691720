import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import type { Need } from '../testing/needs.ts'
import { Miss } from './fault-case.ts'
import { newDatabase } from './postgres-server.ts'
import { queryDatabase } from './query-database.ts'
import { runCli } from './run-cli.ts'
import { fillUsedDataDir, PERSON, type UsedDataDir } from './used-data-dir.ts'

type Settings = { DATA_DIR: string; DATABASE_URL?: string }

/** A command that changes files, and what must be true after it is killed. */
export type MaintenanceCommand = {
  what: string
  needs?: readonly Need[]
  args: (contents: UsedDataDir, folder: string) => string[]
  /** Settings in addition to DATA_DIR. */
  env?: () => Promise<Record<string, string>>
  /** The references of the leads that must still be there. */
  keeps: (contents: UsedDataDir) => string[]
  /** Fills the folder. The default is `fillUsedDataDir`. */
  prepare?: (folder: string) => Promise<UsedDataDir>
  /** A second command to run before the server starts. */
  next?: (contents: UsedDataDir) => string[]
  /** Returns what else is wrong at the end. */
  faults?: (settings: Settings, contents: UsedDataDir) => Promise<string[]>
}

const all = ({ references }: UsedDataDir) => references
const ofOthers = (contents: UsedDataDir) => contents.ofOthers
const eraseArgs = () => ['leads', 'erase', PERSON, '--yes']

export const maintenanceCommands: MaintenanceCommand[] = [
  { what: 'backup', args: () => ['backup'], keeps: all },
  { what: 'restore', args: ({ backup }) => ['restore', backup], keeps: all },
  { what: 'leads erase', args: eraseArgs, keeps: ofOthers, faults: eraseAgain },
  {
    what: 'leads erase (between two restores, without a server start)',
    prepare: restoreFirst,
    args: eraseArgs,
    keeps: ofOthers,
    next: ({ backup }) => ['restore', backup],
  },
  { what: 'leads resend', args: ({ references }) => ['leads', 'resend', references[0] ?? ''], keeps: all },
  {
    what: 'leads export',
    args: (_, folder) => ['leads', 'export', '-o', join(folder, 'leads.xlsx')],
    keeps: all,
  },
  {
    what: 'leads copy to PostgreSQL',
    needs: ['postgres'],
    args: () => ['leads', 'copy'],
    env: async () => ({ DATABASE_URL: await newDatabase() }),
    keeps: all,
    faults: copyAgain,
  },
]

async function restoreFirst(folder: string): Promise<UsedDataDir> {
  const contents = await fillUsedDataDir(folder)
  const { code, output } = await runCli(['restore', contents.backup], { env: { DATA_DIR: folder } })
  if (code !== 0) throw new Miss(output)
  return { ...contents, output }
}

/** Running the killed command again must finish the job. */
async function eraseAgain({ DATA_DIR }: Settings): Promise<string[]> {
  const { code, output } = await runCli(eraseArgs(), { env: { DATA_DIR } })
  const NOTHING_LEFT = 3
  return code === 0 || code === NOTHING_LEFT ? [] : [`a second erase exits with ${code}: ${output.trim()}`]
}

/** The killed command must have copied all leads or none. If none, running it again must copy them. */
async function copyAgain({ DATA_DIR, DATABASE_URL = '' }: Settings, { references }: UsedDataDir) {
  const countCopied = () =>
    // The command may be killed before it has created the tables.
    queryDatabase({ DATA_DIR, DATABASE_URL }, (stored) => stored.count('from leads')).catch(() => 0)
  const copied = await countCopied()
  if (copied === references.length) return []
  if (copied > 0) return [`${copied} leads copied`]
  const { code, output } = await runCli(['leads', 'copy'], { env: { DATA_DIR, DATABASE_URL } })
  return code === 0 ? [] : [`a second copy exits with ${code}: ${output.trim()}`]
}

const DAY_MS = 24 * 60 * 60 * 1000
export const RETENTION_DAYS = '30'

/**
 * Makes the first half of the leads older than `RETENTION_DAYS`. Marks the emails about these old leads as sent, except
 * those about the first lead. Also records that the clock has been steady, so that the next server deletes old leads when
 * it starts. In the returned contents, `references` lists only the leads that this server must keep.
 */
export async function ageUsedDataDir(folder: string): Promise<UsedDataDir> {
  const contents = await fillUsedDataDir(folder)
  const old = contents.references.slice(1, contents.references.length / 2)
  const now = Date.now()
  const watch = { days: Number(RETENTION_DAYS), seenAt: now - 1.5 * DAY_MS, steadySince: now - 20 * DAY_MS }
  const sqlite = new Sqlite(join(folder, 'leads.db'))
  const longAgo = new Date(now - 100 * DAY_MS).toISOString()
  sqlite.prepare('update leads set created_at = ?').run(longAgo)
  const fresh = sqlite.prepare('update leads set created_at = ? where reference = ?')
  const kept = contents.references.filter((reference) => !old.includes(reference))
  for (const reference of kept.slice(1)) fresh.run(new Date().toISOString(), reference)
  const deliver = sqlite.prepare(
    `update outbox set state = 'sent', sent_at = due_at where lead_id = (select id from leads where reference = ?)`,
  )
  for (const reference of old) deliver.run(reference)
  sqlite
    .prepare(
      "insert into settings values ('retention_watch', ?) on conflict do update set value = excluded.value",
    )
    .run(JSON.stringify(watch))
  sqlite.close()
  return { ...contents, references: kept }
}
