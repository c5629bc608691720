import { linkSync } from 'node:fs'
import { join } from 'node:path'
import { missing } from '../../testing/needs.ts'
import { createRecordingClient } from '../../testing/recording-client.ts'
import { newDataDir, startProgram } from '../../testing/start-program.ts'
import { waitUntil } from '../../testing/wait-until.ts'
import { quietEnv } from '../check-restart.ts'
import { control } from '../controls/control.ts'
import type { Weakness } from '../controls/weakenings.ts'
import { expectThat, type FaultCase } from '../fault-case.ts'
import type { Tracing } from '../kill-at-call.ts'
import { ageUsedDataDir, RETENTION_DAYS } from '../maintenance-commands.ts'
import { newDatabase } from '../postgres-server.ts'
import { runCli } from '../run-cli.ts'
import { findForeignOpens, inodesIn, watchingOpens } from '../trace-opens.ts'
import { fillUsedDataDir, PERSON, type UsedDataDir } from '../used-data-dir.ts'

// A killed restore can leave a hard link to the database with a name like this.
const SECOND_NAME = 'leads-before-restore-2026-01-01T00-00-00Z.db'

// When a process closes a file, it loses all its POSIX locks on that file. If code other than SQLite opened and closed a
// database file in the server's process, SQLite's locks would be gone.
export const foreignOpens: FaultCase[] = [
  {
    family: 'locks',
    fault: 'the server and each command open files while connected to the database',
    expected: 'only SQLite opens the database files',
    needs: ['strace'],
    isLong: true,
    async run() {
      const { watched, found } = await watchAll()
      expectThat(found.length === 0, found.join('; '))
      return `${watched.length} programs, 0 opens by other code`
    },
  },
  control({
    what: 'only SQLite opens the files of a connected database',
    weakness: 'the process that has the database open reads its file',
    isLong: true,
    isSqliteOnly: true,
    needs: ['strace'],
    check: watchErase,
  }),
]

// The exit codes for "done" and for "nothing to do".
const expectedCodes: (number | null)[] = [0, 3]

/** Watches only `leads erase`. */
async function watchErase(weakness?: Weakness): Promise<string[]> {
  using folder = newDataDir()
  await fillUsedDataDir(folder.path)
  const watch = createWatch(folder.path)
  await watch.command(['leads', 'erase', PERSON, '--yes'], {}, weakness)
  return watch.found
}

/** Runs the commands, first with a running server, then without. */
async function watchAll() {
  using folder = newDataDir()
  const contents = await ageUsedDataDir(folder.path)
  linkSync(join(folder.path, 'leads.db'), join(folder.path, SECOND_NAME))
  const watch = createWatch(folder.path)
  await watch.program('the server', async ({ through }) => {
    const program = await startProgram({ ...quietEnv(folder.path), RETENTION_DAYS }, { through })
    for (let count = 0; count < 5; count++) await createRecordingClient().post(program.url)
    await waitUntil('the server deletes old leads', () =>
      program.lines.some((line) => line.includes('old leads deleted')),
    )
    for (const args of withServer(contents)) await watch.command(args)
    await program.stop()
  })
  for (const args of withoutServer(contents)) await watch.command(args)
  if (missing(['postgres']).length === 0)
    await watch.command(['leads', 'copy'], { DATABASE_URL: await newDatabase() })
  return watch
}

/** Runs programs on a folder under strace and collects opens that bypass SQLite. */
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
      // A command that fails early opens too few files to prove anything.
      expectThat(expectedCodes.includes(code) || args[0] === 'doctor', `${args.join(' ')}: ${output}`)
    })
  return { program, command, watched, found }
}

const withServer = ({ references }: UsedDataDir) => [
  ['backup'],
  ['restore'],
  ['doctor'],
  // The other `leads` commands open the database in the same way as these three.
  ['leads', 'resend', references[0] ?? ''],
  ['leads', 'export'],
  ['leads', 'erase', PERSON, '--yes'],
]

const withoutServer = ({ backup }: UsedDataDir) => [
  ['backup'],
  ['restore', backup],
  ['leads', 'erase', PERSON, '--yes'],
]
