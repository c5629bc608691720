import { readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { createRecordingClient } from '../testing/recording-client.ts'
import { newDataDir, startProgram } from '../testing/start-program.ts'
import { waitUntil } from '../testing/wait-until.ts'
import { quietEnv } from './check-restart.ts'
import { expectThat } from './fault-case.ts'
import { queryDatabase } from './query-database.ts'
import { runCli } from './run-cli.ts'

/** Every fourth lead is from this person, whom `leads erase` erases. */
export const PERSON = 'forget-me@example.com'
const LEADS = 12
const EVERY = 4

export type UsedDataDir = Awaited<ReturnType<typeof createUsedDataDir>>

let created: Promise<UsedDataDir> | undefined

/**
 * A folder with leads from several people, a backup, more leads, and a WAL left by a killed server.
 * For all cases the same.
 */
export function usedDataDir(): Promise<UsedDataDir> {
  created ??= createUsedDataDir()
  return created
}

async function createUsedDataDir() {
  const { path } = newDataDir()
  // Other users of the machine must not be able to read what the program and its commands write
  // here.
  const umask = process.umask(0o022)
  process.once('exit', () => rmSync(path, { recursive: true, force: true }))
  const client = createRecordingClient()
  const program = await startProgram(quietEnv(path))
  const postAll = async () => {
    for (let count = 0; count < LEADS; count++)
      await client.post(program.url, count % EVERY === 0 ? { email: PERSON } : {})
  }
  await postAll()
  const { code, stdout, output } = await runCli(['backup', '--json'], { env: { DATA_DIR: path } })
  expectThat(code === 0, output)
  await postAll()
  // If the server were killed while sending an email, `erase` would wait for that email.
  const isIdle = () =>
    queryDatabase(
      { DATA_DIR: path },
      async ({ count }) => (await count("from outbox where state = 'sending'")) === 0,
    )
  await waitUntil('no email is being sent', isIdle)
  await program.stop('SIGKILL')
  process.umask(umask)
  const files = readdirSync(path, { recursive: true }).map(String)
  const open = files.filter((file) => statSync(join(path, file)).mode & 0o077)
  expectThat(files.length > 4 && open.length === 0, `open to other users: ${open} (of ${files})`)
  const of = (isWanted: (email: string) => boolean) =>
    client
      .acknowledged()
      .filter(({ request }) => isWanted(request.email))
      .map(({ reference = '' }) => reference)
  return {
    path,
    references: of(() => true),
    ofOthers: of((email) => email !== PERSON),
    backup: JSON.parse(stdout).path.split('/').at(-1) as string,
  }
}
