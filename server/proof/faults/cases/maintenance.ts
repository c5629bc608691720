import { cpSync, existsSync, readdirSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { Need } from '../../testing/needs.ts'
import { newDataDir } from '../../testing/start-program.ts'
import { checkRestart, quietEnv } from '../check-restart.ts'
import { control } from '../controls/control.ts'
import type { Weakness } from '../controls/weakenings.ts'
import type { FaultCase } from '../fault-case.ts'
import { expectNoFault, killAtEach } from '../kill-at-each.ts'
import { newDatabase } from '../postgres-server.ts'
import { queryDatabase } from '../query-database.ts'
import { readDatabase } from '../read-database.ts'
import { runCli } from '../run-cli.ts'
import { killedAt } from '../strace.ts'
import { PERSON, type UsedDataDir, usedDataDir } from '../used-data-dir.ts'

type Settings = { DATA_DIR: string; DATABASE_URL?: string }

/** A command that changes files, and what must be true after it is killed. */
type MaintenanceCommand = {
  what: string
  needs?: readonly Need[]
  args: (contents: UsedDataDir) => string[]
  /** Settings in addition to DATA_DIR. */
  env?: () => Promise<Record<string, string>>
  /** The references of the leads that must still be there. */
  keeps: (contents: UsedDataDir) => string[]
  /** Returns what else is wrong at the end. */
  faults?: (settings: Settings, contents: UsedDataDir) => Promise<string[]>
}

const all = ({ references }: UsedDataDir) => references
const ofOthers = (contents: UsedDataDir) => contents.ofOthers
const eraseArgs = () => ['leads', 'erase', PERSON, '--yes']

const restore: MaintenanceCommand = {
  what: 'restore',
  args: ({ backup }) => ['restore', backup],
  keeps: all,
}
const maintenanceCommands: MaintenanceCommand[] = [
  { what: 'backup', args: () => ['backup'], keeps: all },
  restore,
  { what: 'leads erase', args: eraseArgs, keeps: ofOthers, faults: eraseAgain },
  {
    what: 'leads copy to PostgreSQL',
    needs: ['postgres'],
    args: () => ['leads', 'copy'],
    env: async () => ({ DATABASE_URL: await newDatabase() }),
    keeps: all,
    faults: copyAgain,
  },
]

/** Running the killed command again must finish the job. */
async function eraseAgain({ DATA_DIR }: Settings): Promise<string[]> {
  const { code, output } = await runCli(eraseArgs(), { env: { DATA_DIR } })
  const NOTHING_LEFT = 3
  return code === 0 || code === NOTHING_LEFT ? [] : [`a second erase exits with ${code}: ${output.trim()}`]
}

/**
 * The killed command must have copied all leads or none. If none, running it again must copy them.
 */
async function copyAgain({ DATA_DIR, DATABASE_URL = '' }: Settings, { references }: UsedDataDir) {
  // The command may be killed before it has created the tables.
  const countCopied = () =>
    queryDatabase({ DATA_DIR, DATABASE_URL }, ({ count }) => count('from leads')).catch(() => 0)
  const copied = await countCopied()
  if (copied === references.length) return []
  if (copied > 0) return [`${copied} leads copied`]
  const { code, output } = await runCli(['leads', 'copy'], { env: { DATA_DIR, DATABASE_URL } })
  // PostgreSQL may have been committing all of them when they were counted.
  if (code === 0 || (await countCopied()) === references.length) return []
  return [`a second copy exits with ${code}: ${output.trim()}`]
}

// The calls with which a command changes files.
const calls = [
  ...['pwrite64', 'fsync', 'fdatasync', 'ftruncate', 'rename', 'link', 'unlink', 'mkdir'],
  ...['copy_file_range', 'sendfile'],
]

const INTACT =
  'the server starts; database and backups are intact; each lead is in leads.db or a file named in the output'

export const maintenance: FaultCase[] = [
  ...maintenanceCommands.map(
    (command): FaultCase => ({
      family: 'maintenance',
      fault: `${command.what} killed at each call that changes a file`,
      expected: INTACT,
      needs: ['strace', ...(command.needs ?? [])],
      run: () => expectNoFault(killAtEachCall(command)),
    }),
  ),
  control({
    what: 'a restore can be killed at any call',
    weakness: 'a restore deletes the old database first',
    isSqliteOnly: true,
    needs: ['strace'],
    check: async (weakness) => (await killAtEachCall(restore, ['rename'], weakness)).faults,
  }),
]

/** Runs the command on copies of the same folder, each killed at another call. */
async function killAtEachCall(
  command: MaintenanceCommand,
  at: readonly string[] = calls,
  weakness?: Weakness,
) {
  const contents = await usedDataDir()
  return await killAtEach(at, async (call, nth) => {
    using copy = newDataDir()
    cpSync(contents.path, copy.path, { recursive: true, preserveTimestamps: true })
    const env = { DATA_DIR: copy.path, ...(await command.env?.()) }
    const through = killedAt(call, nth)
    const { code, output } = await runCli(command.args(contents), { env, through, weakness })
    if (code !== null) return undefined
    const restart = await checkRestart(quietEnv(copy.path), weakness)
    return [
      ...restart.faults,
      ...((await command.faults?.(env, contents)) ?? []),
      ...damagedBackups(copy.path),
      ...findLost(copy.path, command.keeps(contents), `${output}\n${restart.output}`),
    ]
  })
}

/**
 * Finds leads that are neither in `leads.db` nor in a file that the program's output names. Also
 * finds damaged files.
 */
function findLost(folder: string, references: readonly string[], output: string): string[] {
  const named = [...output.matchAll(/leads-before-restore[\w.-]*\.db/g)].map(([name]) => basename(name))
  // The program prints a file's new name before it moves the file, so the file may not exist yet.
  const files = ['leads.db', ...new Set(named)].filter((name) => existsSync(join(folder, name)))
  const contents = files.map((file) => ({ file, ...readDatabase(join(folder, file)) }))
  const isLost = (reference: string) => !contents.some(({ references }) => references.has(reference))
  const lost = references.filter(isLost)
  return [
    ...contents
      .filter(({ integrity }) => integrity !== 'ok')
      .map(({ file, integrity }) => `${file}: ${integrity}`),
    ...(lost.length > 0 ? [`${lost.length} leads lost`] : []),
  ]
}

/**
 * Finds damaged backups. Opens them read-only, as `restore` does, so that SQLite can't repair them.
 */
function damagedBackups(folder: string): string[] {
  const backups = join(folder, 'backups')
  if (!existsSync(backups)) return []
  return readdirSync(backups)
    .filter((name) => /^leads-[\dTZ-]+\.db$/.test(name))
    .map((name) => ({ name, ...readDatabase(join(backups, name), { readonly: true }) }))
    .filter(({ integrity }) => integrity !== 'ok')
    .map(({ name, integrity }) => `backup ${name}: ${integrity}`)
}
