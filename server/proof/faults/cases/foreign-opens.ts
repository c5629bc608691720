import { linkSync } from 'node:fs'
import { join } from 'node:path'
import { createLedger } from '../../testing/ledger.ts'
import { missing } from '../../testing/needs.ts'
import { newDataDir, startProgram } from '../../testing/start-program.ts'
import { waitUntil } from '../../testing/wait-until.ts'
import { quietEnv } from '../after-a-fault.ts'
import { type BusyFolder, fillBusyFolder, PERSON } from '../busy-folder.ts'
import type { Weakness } from '../controls/weakenings.ts'
import { expectThat, type FaultCase } from '../fault-case.ts'
import { findForeignOpens, inodesIn, watchingOpens } from '../foreign-opens.ts'
import type { Tracing } from '../kill-at-call.ts'
import { ageBusyFolder, RETENTION_DAYS } from '../maintenance-commands.ts'
import { newDatabase } from '../postgres-server.ts'
import { runCli } from '../run-cli.ts'

// What an earlier version set aside at a restore: another name of the very same file.
const SECOND_NAME = 'leads-before-restore-2026-01-01T00-00-00Z.db'

export const foreignOpens: FaultCase = {
  family: 'locks',
  fault: 'the server and each command watched: who opens a file of a database that it is connected to?',
  expected: 'SQLite alone',
  needs: ['strace'],
  async run() {
    const { watched, found } = await watchAll()
    expectThat(found.length === 0, found.join('; '))
    return `${watched.length} programs, 0 opens of others`
  },
}

// Done, or nothing left to do. A doctor may find something.
const expectedCodes: (number | null)[] = [0, 3]

/** Watches `leads erase` alone. */
export async function watchErase(weakness?: Weakness): Promise<string[]> {
  using folder = newDataDir()
  await fillBusyFolder(folder.path)
  const watch = createWatch(folder.path)
  await watch.command(['leads', 'erase', PERSON, '--yes'], {}, weakness)
  return watch.found
}

/** Runs each command beside the server or without it. */
async function watchAll() {
  using folder = newDataDir()
  const contents = await ageBusyFolder(folder.path)
  linkSync(join(folder.path, 'leads.db'), join(folder.path, SECOND_NAME))
  const watch = createWatch(folder.path)
  await watch.program('the server', async ({ through }) => {
    const program = await startProgram({ ...quietEnv(folder.path), RETENTION_DAYS }, { through })
    for (let count = 0; count < 5; count++) await createLedger().post(program.url)
    await waitUntil('it deletes', () => program.lines.some((line) => line.includes('old leads deleted')))
    for (const args of besideServer(contents)) await watch.command(args)
    await program.stop()
  })
  for (const args of withoutServer(contents)) await watch.command(args)
  if (missing(['postgres']).length === 0)
    await watch.command(['leads', 'copy'], { DATABASE_URL: await newDatabase() })
  return watch
}

/** Runs programs on a folder under strace, one inside or after another, and collects each open that is not SQLite's. */
function createWatch(folder: string) {
  const found: string[] = []
  const watched: string[] = []

  async function program(what: string, run: (tracing: Tracing) => Promise<unknown>) {
    using traces = newDataDir()
    const trace = join(traces.path, 'trace')
    const before = inodesIn(folder)
    watched.push(what)
    await run(watchingOpens(trace))
    const opens = await findForeignOpens(trace, folder, before)
    found.push(...opens.map((open) => `${what} opens ${open}`))
  }
  const command = (args: readonly string[], env = {}, weakness?: Weakness) =>
    program(args.join(' '), async (tracing) => {
      const { code, output } = await runCli(args, { env: { DATA_DIR: folder, ...env }, tracing, weakness })
      // What ends early was not watched.
      expectThat(expectedCodes.includes(code) || args[0] === 'doctor', `${args.join(' ')}: ${output}`)
    })
  return { program, command, watched, found }
}

const besideServer = ({ references }: BusyFolder) => [
  ['backup'],
  ['restore'],
  ['doctor'],
  ['leads', 'list'],
  ['leads', 'show', references[0] ?? ''],
  ['leads', 'stats'],
  ['leads', 'resend', references[0] ?? ''],
  ['leads', 'export'],
  ['leads', 'erase', PERSON, '--yes'],
]

const withoutServer = ({ backup }: BusyFolder) => [
  ['leads', 'erase', PERSON, '--yes'],
  ['backup'],
  ['restore', backup],
  ['leads', 'erase', PERSON, '--yes'],
]
