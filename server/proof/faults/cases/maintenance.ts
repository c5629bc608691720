import { setTimeout as sleep } from 'node:timers/promises'
import { launchProgram } from '../../testing/start-program.ts'
import { waitUntil } from '../../testing/wait-until.ts'
import { checkRestart, quietEnv } from '../check-restart.ts'
import { runConcurrentServers } from '../concurrent-servers.ts'
import { control } from '../controls/control.ts'
import type { Weakness } from '../controls/weakenings.ts'
import type { FaultCase } from '../fault-case.ts'
import { damagedBackups, findLost } from '../find-lost-leads.ts'
import { type Ended, expectToSurvive, type Killable, killAtEachCall } from '../kill-at-each-call.ts'
import {
  ageUsedDataDir,
  type MaintenanceCommand,
  maintenanceCommands,
  RETENTION_DAYS,
} from '../maintenance-commands.ts'
import { runCli } from '../run-cli.ts'
import { fillUsedDataDir, type UsedDataDir } from '../used-data-dir.ts'

const SHORT_POINTS = 1
// A short run kills only this command. It skips `restore`, for example, because interrupted-restore.sqlite.test.ts already
// interrupts restores.
const inShortRun = ['leads erase']
const POINTS_WITH_SERVER = 30
const CONTROL_POINTS = 6
// The command starts at most this long after the server, which by then may be starting, running or stopped.
const HEAD_START_MS = 1200
const RETENTION_MS = 10_000
const KILL_DELAY_MS = 200

const INTACT =
  'the server starts; database and backups are intact; each acknowledged lead is in leads.db or a file named in the output'

export const maintenance: FaultCase[] = [
  ...maintenanceCommands.map(
    (command): FaultCase => ({
      family: 'maintenance',
      fault: `${command.what} killed at each call that changes a file`,
      expected: INTACT,
      needs: ['strace', ...(command.needs ?? [])],
      isLong: !inShortRun.includes(command.what),
      run: ({ isShort }) =>
        expectToSurvive(killable(command), isShort ? SHORT_POINTS : Number.POSITIVE_INFINITY),
    }),
  ),
  ...maintenanceCommands.map(
    (command): FaultCase => ({
      family: 'maintenance',
      fault: `${command.what} killed at ${POINTS_WITH_SERVER} calls that change a file, while a server starts, receives requests and stops`,
      expected: INTACT,
      needs: ['strace', ...(command.needs ?? [])],
      isLong: true,
      run: () => expectToSurvive(withConcurrentServer(command), POINTS_WITH_SERVER, { mayMiss: true }),
    }),
  ),
  {
    family: 'maintenance',
    fault: 'a server that deletes old leads, killed at each call that changes a file',
    expected: `${INTACT}, including an old lead that was never delivered`,
    needs: ['strace'],
    isLong: true,
    run: () => expectToSurvive(retention, Number.POSITIVE_INFINITY),
  },
  control({
    what: 'a restore can be killed at any call',
    weakness: 'a restore deletes the old database first',
    isSqliteOnly: true,
    isLong: true,
    needs: ['strace'],
    check: killRestores,
  }),
]

/** Kills a restore at its renames. Returns what is wrong afterward. */
async function killRestores(weakness?: Weakness): Promise<string[]> {
  const restore = maintenanceCommands.find(({ what }) => what === 'restore') as MaintenanceCommand
  return (await killAtEachCall(killable(restore, weakness), CONTROL_POINTS, { onlyAt: 'rename' })).faults
}

function killable(command: MaintenanceCommand, weakness?: Weakness): Killable<UsedDataDir> {
  return {
    prepare: command.prepare ?? fillUsedDataDir,
    async run(folder, tracing, contents) {
      const env = { DATA_DIR: folder, ...(await command.env?.()) }
      const { code, output } = await runCli(command.args(contents, folder), { env, tracing, weakness })
      return { wasKilled: code === null, output, env }
    },
    async findFaults(folder, contents, ended) {
      const next = command.next && (await runCli(command.next(contents), { env: { DATA_DIR: folder } }))
      const failed = next && next.code !== 0 ? [`the next command: ${next.output.trim()}`] : []
      const { faults, output } = await checkRestart(folder, weakness)
      const allOutput = [contents.output, ended.output, next?.output, output].join('\n')
      const kept = [...command.keeps(contents), ...(ended.acknowledged ?? [])]
      const ownFaults = await command.faults?.({ ...ended.env, DATA_DIR: folder }, contents)
      return [
        ...[...failed, ...faults, ...(ownFaults ?? [])],
        ...findLost(folder, kept, allOutput),
        ...damagedBackups(folder),
      ]
    },
  }
}

function withConcurrentServer(command: MaintenanceCommand): Killable<UsedDataDir> {
  const alone = killable(command)
  return {
    ...alone,
    async run(folder, tracing, contents): Promise<Ended> {
      const server = runConcurrentServers(folder)
      await sleep(Math.random() * HEAD_START_MS)
      const ended = await alone.run(folder, tracing, contents)
      const { acknowledged, output } = await server.end()
      return { ...ended, output: `${ended.output}\n${output}`, acknowledged }
    },
  }
}

/** A server that deletes old leads when it starts. */
const retention: Killable<UsedDataDir> = {
  prepare: ageUsedDataDir,
  async run(folder, { through, watch }) {
    const program = launchProgram({ ...quietEnv(folder), RETENTION_DAYS }, { through })
    watch(program.pid)
    let wasKilled = false
    const exited = program.exited.then(() => {
      wasKilled = true
    })
    const isDone = () => wasKilled || program.lines.some((line) => line.includes('old leads deleted'))
    await waitUntil('old leads are deleted', isDone, RETENTION_MS)
    await Promise.race([exited, sleep(KILL_DELAY_MS)])
    const ended = { wasKilled, output: program.lines.join('\n') }
    await program.stop('SIGKILL')
    return ended
  },
  async findFaults(folder, { references }, ended) {
    const { faults, output } = await checkRestart(folder)
    return [...faults, ...findLost(folder, references, ended.output + output), ...damagedBackups(folder)]
  },
}
