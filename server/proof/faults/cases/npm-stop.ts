import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { newDataDir } from '../../testing/start-program.ts'
import { waitUntil } from '../../testing/wait-until.ts'
import { type Weakness, weakenedBy } from '../controls/weakenings.ts'
import { expectThat, type FaultCase } from '../fault-case.ts'

const STOP_MS = 5_000
const root = join(import.meta.dirname, '../../../..')

/** npm hands the signal to a shell, which dies of it and tells nobody. */
export const npmStops: FaultCase[] = [false, true].map((isGroup) => ({
  family: 'stop',
  fault: `SIGTERM to \`npm run serve\`${isGroup ? ' and everything under it' : ''}`,
  expected: `the server under it stops in order, within ${STOP_MS / 1000} s`,
  isAboutSqlite: true,
  async run() {
    const found = await stopNpm(undefined, isGroup)
    expectThat(found.length === 0, found.join())
    return 'stopped'
  },
}))

/** What is wrong after npm was told to stop. */
export async function stopNpm(weakness?: Weakness, isGroup = false): Promise<string[]> {
  using folder = newDataDir()
  const weakened = weakness && { NODE_OPTIONS: weakenedBy(weakness).join(' ') }
  const env = { ...process.env, DATA_DIR: folder.path, PORT: '0', LOG_LEVEL: 'info', ...weakened }
  const npm = spawn('npm', ['run', 'serve'], {
    cwd: root,
    env,
    stdio: ['ignore', 'pipe', 'ignore'],
    // With a process group of its own.
    detached: true,
  })
  let output = ''
  npm.stdout.on('data', (chunk) => {
    output += chunk
  })
  await waitUntil('it runs', () => output.includes('"msg":"ready"'))
  process.kill(isGroup ? -(npm.pid ?? 0) : (npm.pid ?? 0), 'SIGTERM')
  await once(npm, 'exit')
  const stopping = waitUntil('the server stops', () => output.includes('"msg":"stopped"'), STOP_MS)
  // Before the folder goes.
  return await stopping.then(
    () => [],
    (error: Error) => {
      endServerOf(folder.path)
      return [error.message]
    },
  )
}

/** The one that npm left behind: found by its data directory, so that no other is hit. */
function endServerOf(dataDir: string) {
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name)))
    if (environmentOf(pid).includes(`DATA_DIR=${dataDir}`)) process.kill(Number(pid), 'SIGKILL')
}

function environmentOf(pid: string): string[] {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0')
  } catch {
    return []
  }
}
