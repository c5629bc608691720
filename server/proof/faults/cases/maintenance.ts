import { setTimeout as sleep } from 'node:timers/promises'
import { checkRestart } from '../check-restart.ts'
import { runConcurrentServers } from '../concurrent-servers.ts'
import { control } from '../controls/control.ts'
import type { Weakness } from '../controls/weakenings.ts'
import type { FaultCase } from '../fault-case.ts'
import { damagedBackups, findLost } from '../find-lost-leads.ts'
import { type Ended, expectToSurvive, type Killable, killAtEachCall } from '../kill-at-each-call.ts'
import { type MaintenanceCommand, maintenanceCommands } from '../maintenance-commands.ts'
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
    prepare: fillUsedDataDir,
    async run(folder, tracing, contents) {
      const env = { DATA_DIR: folder, ...(await command.env?.()) }
      const { code, output } = await runCli(command.args(contents), { env, tracing, weakness })
      return { wasKilled: code === null, output, env }
    },
    async findFaults(folder, contents, ended) {
      const { faults, output } = await checkRestart(folder, weakness)
      const kept = [...command.keeps(contents), ...(ended.acknowledged ?? [])]
      const ownFaults = await command.faults?.({ ...ended.env, DATA_DIR: folder }, contents)
      return [
        ...[...faults, ...(ownFaults ?? []), ...damagedBackups(folder)],
        ...findLost(folder, kept, `${ended.output}\n${output}`),
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
