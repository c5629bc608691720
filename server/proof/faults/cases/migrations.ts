import { cpSync, existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { launchProgram, newDataDir } from '../../testing/start-program.ts'
import { waitUntil } from '../../testing/wait-until.ts'
import { checkRestart, findIncompleteLeads, quietEnv, readDatabase, schemaFaults } from '../check-restart.ts'
import { control } from '../controls/control.ts'
import { type Weakness, weakenedBy } from '../controls/weakenings.ts'
import { expectThat, type FaultCase } from '../fault-case.ts'
import { expectToSurvive, type Killable, killAtEachCall } from '../kill-at-each-call.ts'
import { createOlderDatabase, olderMigrations } from '../older-database.ts'

const FEW_LEADS = 30
const SHORT_POINTS = 1
const CONTROL_POINTS = 5
const KILL_DELAY_MS = 200

const MANY_LEADS = 60_000
const SIGNALS = 12

const INTACT =
  'the server starts, the database is intact and has the newest schema, no lead is missing, every lead has a due time, none is indexed twice'

export const migrations: FaultCase[] = [
  {
    family: 'migration',
    fault: 'the first start in an empty folder, killed at each call that changes a file',
    expected: INTACT,
    needs: ['strace'],
    isLong: true,
    run: () =>
      expectToSurvive(
        startOn(async () => []),
        Number.POSITIVE_INFINITY,
      ),
  },
  ...olderMigrations.map(
    (step): FaultCase => ({
      family: 'migration',
      fault: `the upgrade from ${step}, killed at each call that changes a file`,
      expected: INTACT,
      needs: ['strace'],
      isLong: step !== olderMigrations[0],
      run: ({ isShort }) =>
        expectToSurvive(upgradeFrom(step), isShort ? SHORT_POINTS : Number.POSITIVE_INFINITY),
    }),
  ),
  {
    family: 'migration',
    fault: `SIGTERM at a random moment during an upgrade with ${MANY_LEADS} leads, ${SIGNALS} times`,
    expected: INTACT,
    isLong: true,
    run: () => terminateAtRandom(),
  },
  control({
    what: 'an upgrade can be killed at any call',
    weakness: 'migrations without a transaction',
    isLong: true,
    isSqliteOnly: true,
    needs: ['strace'],
    check: killUpgrades,
  }),
]

/** Kills the upgrade from the second-newest schema at some of its fsyncs. Returns what is wrong afterward. */
async function killUpgrades(weakness?: Weakness): Promise<string[]> {
  // Tests only the newest step, because the first migrations can resume from half-done states, even without a transaction.
  const newest = upgradeFrom(olderMigrations.at(-1) ?? '', weakness)
  return (await killAtEachCall(newest, CONTROL_POINTS, { onlyAt: 'fsync' })).faults
}

const upgradeFrom = (step: string, weakness?: Weakness) =>
  startOn((folder) => createOlderDatabase(folder, step, FEW_LEADS), weakness)

/** Starts the program on the prepared folder. Kills it once it's ready, unless it has been killed at a traced call. */
function startOn(prepare: (folder: string) => Promise<string[]>, weakness?: Weakness): Killable<string[]> {
  return {
    prepare,
    async run(folder, { through, watch }) {
      const nodeOptions = weakness ? weakenedBy(weakness) : []
      const program = launchProgram(quietEnv(folder), { through, nodeOptions })
      watch(program.pid)
      // The traced call, which triggers the kill, may come a moment after the program is ready.
      const survives = program.ready
        .then(() => sleep(KILL_DELAY_MS))
        .then(
          () => true,
          () => false,
        )
      const wasKilled = !(await survives)
      await program.stop('SIGKILL')
      return { wasKilled, output: program.lines.join('\n') }
    },
    findFaults: (folder, references) => faultsAfter(folder, references, weakness),
  }
}

async function faultsAfter(folder: string, references: readonly string[], weakness?: Weakness) {
  const { faults } = await checkRestart(folder, weakness)
  if (faults.length > 0) return faults
  const stored = readDatabase(join(folder, 'leads.db'))
  const lost = references.filter((reference) => !stored.references.has(reference))
  return [
    ...(stored.integrity === 'ok' ? [] : [stored.integrity]),
    ...(lost.length === 0 ? [] : [`${lost.length} leads lost`]),
    ...(await schemaFaults(folder)),
    ...findIncompleteLeads(folder),
  ]
}

async function terminateAtRandom(): Promise<string> {
  using template = newDataDir()
  const references = await createOlderDatabase(template.path, olderMigrations[0] ?? '', MANY_LEADS)
  const tookMs = (await upgrade(template.path, Number.POSITIVE_INFINITY, [])).tookMs
  const faults: string[] = []
  let inTime = 0
  for (let count = 0; count < SIGNALS; count++) {
    const atMs = (tookMs * (count + Math.random())) / SIGNALS
    const { isReady, found } = await upgrade(template.path, atMs, references)
    if (!isReady) inTime++
    faults.push(...found)
  }
  const seen = `${inTime} of ${SIGNALS} stopped before the server was ready (a full upgrade took ${tookMs.toFixed()} ms), ${faults.length} faults ${faults.slice(0, 2).join('; ')}`
  expectThat(faults.length === 0 && inTime > 0, seen)
  return seen
}

/**
 * Starts the program on a copy of a folder. Sends SIGTERM `afterMs` after the upgrade begins, or once the program is ready,
 * whichever comes first.
 */
async function upgrade(template: string, afterMs: number, references: readonly string[]) {
  using folder = newDataDir()
  cpSync(template, folder.path, { recursive: true })
  const log = join(folder.path, 'leads.db-wal')
  const { mtimeMs } = statSync(log)
  const program = launchProgram(quietEnv(folder.path))
  await waitUntil('the upgrade begins', () => !existsSync(log) || statSync(log).mtimeMs !== mtimeMs)
  const startedAt = performance.now()
  const ready = program.ready.then(() => true)
  const isReady = await Promise.race(
    Number.isFinite(afterMs) ? [ready, sleep(afterMs).then(() => false)] : [ready],
  )
  const tookMs = performance.now() - startedAt
  await program.stop('SIGTERM')
  return { isReady, tookMs, found: await faultsAfter(folder.path, references) }
}
