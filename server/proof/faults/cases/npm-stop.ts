import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { newDataDir } from '../../testing/start-program.ts'
import { waitUntil } from '../../testing/wait-until.ts'
import { control, faultsOf } from '../controls/control.ts'
import { type Weakness, weakenedBy } from '../controls/weakenings.ts'
import { expectThat, type FaultCase } from '../fault-case.ts'

const STOP_MS = 5_000
const root = join(import.meta.dirname, '../../../..')

// npm sends the signal to a shell, which dies without passing it on. So the server stops when its parent process is gone.
export const npmStops: FaultCase[] = [
  ...[false, true].map(
    (isGroup): FaultCase => ({
      family: 'stop',
      fault: `SIGTERM to \`npm run serve\`${isGroup ? ' and all its descendants' : ''}`,
      expected: `the server shuts down cleanly within ${STOP_MS / 1000} s`,
      isSqliteOnly: true,
      async run() {
        const found = await stopNpm(undefined, isGroup)
        expectThat(found.length === 0, found.join())
        return 'stopped'
      },
    }),
  ),
  control({
    what: 'when npm exits, the server that it started stops',
    weakness: 'the server keeps running after npm has exited',
    isLong: true,
    isSqliteOnly: true,
    check: (weakness) => stopNpm(weakness),
  }),
]

/** Stops npm and returns what is wrong. */
async function stopNpm(weakness?: Weakness, isGroup = false): Promise<string[]> {
  using folder = newDataDir()
  const weakened = weakness && { NODE_OPTIONS: weakenedBy(weakness).join(' ') }
  const env = { ...process.env, DATA_DIR: folder.path, PORT: '0', LOG_LEVEL: 'info', ...weakened }
  const npm = spawn('npm', ['run', 'serve'], {
    cwd: root,
    env,
    stdio: ['ignore', 'pipe', 'ignore'],
    // Starts a new process group, so that all of its processes can get a signal at once.
    detached: true,
  })
  let output = ''
  npm.stdout.on('data', (chunk) => {
    output += chunk
  })
  await waitUntil('the server runs', () => output.includes('"msg":"ready"'))
  process.kill(isGroup ? -(npm.pid ?? 0) : (npm.pid ?? 0), 'SIGTERM')
  await once(npm, 'exit')
  const found = await faultsOf(
    waitUntil('the server stops', () => output.includes('"msg":"stopped"'), STOP_MS),
  )
  if (found.length > 0) killServerOf(folder.path)
  return found
}

/** Finds the server that npm left behind, by its data directory, and kills it. */
function killServerOf(dataDir: string) {
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
