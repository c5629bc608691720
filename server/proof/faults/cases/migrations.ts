import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import Sqlite from 'better-sqlite3'
import { launchProgram } from '../../testing/start-program.ts'
import { checkRestart, quietEnv, readDatabase } from '../check-restart.ts'
import { control } from '../controls/control.ts'
import { type Weakness, weakenedBy } from '../controls/weakenings.ts'
import type { FaultCase } from '../fault-case.ts'
import { expectToSurvive, type Killable, killAtEachCall } from '../kill-at-each-call.ts'
import { fillUsedDataDir } from '../used-data-dir.ts'

const SHORT_POINTS = 1
const CONTROL_POINTS = 5
const KILL_DELAY_MS = 200

const INTACT =
  'the server starts and stores a lead, the database is intact, no lead is missing or only half migrated'

export const migrations: FaultCase[] = [
  {
    family: 'migration',
    fault: 'the first start in an empty folder, killed at each call that changes a file',
    expected: INTACT,
    needs: ['strace'],
    isLong: true,
    run: () => expectToSurvive(firstStart, Number.POSITIVE_INFINITY),
  },
  {
    family: 'migration',
    fault: 'an upgrade with a second migration, killed at each call that changes a file',
    expected: INTACT,
    needs: ['strace'],
    run: ({ isShort }) =>
      expectToSurvive(upgradeWith('a second migration'), isShort ? SHORT_POINTS : Number.POSITIVE_INFINITY),
  },
  control({
    what: 'an upgrade can be killed at any call',
    weakness: 'migrations without a transaction',
    isLong: true,
    isSqliteOnly: true,
    needs: ['strace'],
    check: async (weakness = 'a second migration') =>
      (await killAtEachCall(upgradeWith(weakness), CONTROL_POINTS, { onlyAt: 'fsync' })).faults,
  }),
]

const firstStart: Killable<void> = {
  prepare: async () => {},
  run: (folder, tracing) => startAndKill(folder, tracing),
  findFaults: async (folder) => {
    const { faults } = await checkRestart(folder)
    return [...faults, ...findDamage(folder)]
  },
}

/** Starts the program with a second migration on a folder with leads. */
const upgradeWith = (weakness: Weakness): Killable<string[]> => ({
  prepare: async (folder) => (await fillUsedDataDir(folder)).references,
  run: (folder, tracing) => startAndKill(folder, tracing, weakness),
  async findFaults(folder, references) {
    const { faults } = await checkRestart(folder, weakness)
    return faults.length > 0 ? faults : [...findDamage(folder), ...findUnmigrated(folder, references)]
  },
})

/** Kills the program once it's ready, unless it has been killed at a traced call. */
async function startAndKill(
  folder: string,
  { through, watch }: Parameters<Killable<unknown>['run']>[1],
  weakness?: Weakness,
) {
  const program = launchProgram(quietEnv(folder), { through, nodeOptions: weakenedBy(weakness) })
  watch(program.pid)
  // The traced call, which triggers the kill, may come a moment after the program is ready.
  const survives = program.ready.then(() => sleep(KILL_DELAY_MS, true))
  const wasKilled = !(await survives.catch(() => false))
  await program.stop('SIGKILL')
  return { wasKilled, output: program.lines.join('\n') }
}

function findDamage(folder: string): string[] {
  const { integrity } = readDatabase(join(folder, 'leads.db'))
  return integrity === 'ok' ? [] : [integrity]
}

/** Finds leads that are missing, or that the second migration has not changed. */
function findUnmigrated(folder: string, references: readonly string[]): string[] {
  const sqlite = new Sqlite(join(folder, 'leads.db'), { fileMustExist: true, readonly: true })
  const migrated = sqlite
    .prepare<[], string>("select reference from leads where city = 'Chicago'")
    .pluck()
    .all()
  sqlite.close()
  const lost = references.filter((reference) => !migrated.includes(reference))
  return lost.length === 0 ? [] : [`${lost.length} leads lost or not migrated`]
}
