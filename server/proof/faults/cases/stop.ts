import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { newDataDir } from '../../testing/start-program.ts'
import { waitUntil } from '../../testing/wait-until.ts'
import { control } from '../controls/control.ts'
import { type Weakness, weakenedBy } from '../controls/weakenings.ts'
import { expectThat, type FaultCase } from '../fault-case.ts'
import { openHarness } from '../harness.ts'

const VISITORS = 6
const LOAD_MS = 500
const STOP_MS = 5000
const AGAIN_MS = 200

export const stopCases: FaultCase[] = [
  {
    family: 'stop',
    fault: 'SIGTERM, twice, under load while an email is being sent',
    expected: 'exit 0 within 5 s, nothing lost or duplicated',
    inShortRun: true,
    run: stopUnderLoad,
  },
  {
    family: 'stop',
    fault: 'SIGTERM to `npm run serve`',
    expected: `the server shuts down cleanly within ${STOP_MS / 1000} s`,
    isSqliteOnly: true,
    run: () => stopNpm(),
  },
  control({
    what: 'when npm exits, the server that it started stops',
    weakness: 'the server keeps running after npm has exited',
    isSqliteOnly: true,
    check: (weakness) => stopNpm(weakness),
  }),
]

async function stopUnderLoad(): Promise<string> {
  await using harness = await openHarness()
  harness.relay.misbehave('dot', () => undefined)
  const program = await harness.start()
  const load = harness.client.load(program.url, VISITORS)
  await waitUntil('an email is being sent', () => harness.relay.reached.has('dot'))
  await sleep(LOAD_MS)
  const startedAt = performance.now()
  const stopped = program.stop()
  // Somebody presses Ctrl+C once more.
  await sleep(AGAIN_MS)
  await program.stop()
  const code = await stopped
  const took = performance.now() - startedAt
  await load.ended
  expectThat(code === 0 && took <= STOP_MS, `exit ${code} after ${took.toFixed()} ms`)
  return `exit 0 after ${took.toFixed()} ms; ${await harness.recoverAndVerify()}`
}

const root = join(import.meta.dirname, '../../../..')

/**
 * npm sends the signal to a shell, which dies without passing it on. So the server stops when its
 * parent process is gone.
 */
async function stopNpm(weakness?: Weakness): Promise<string> {
  using folder = newDataDir()
  const weakened = weakness && { NODE_OPTIONS: weakenedBy(weakness).join(' ') }
  const env = { ...process.env, DATA_DIR: folder.path, PORT: '0', LOG_LEVEL: 'info', ...weakened }
  const stdio = ['ignore', 'pipe', 'ignore'] as const
  const npm = spawn('npm', ['run', 'serve'], { cwd: root, env, stdio: [...stdio], detached: true })
  let output = ''
  npm.stdout?.on('data', (chunk) => {
    output += chunk
  })
  await waitUntil('the server runs', () => output.includes('"msg":"ready"'))
  process.kill(npm.pid ?? 0, 'SIGTERM')
  await once(npm, 'exit')
  try {
    await waitUntil('the server stops', () => output.includes('"msg":"stopped"'), STOP_MS)
  } catch (error) {
    // The server is still there, in the process group that npm led.
    process.kill(-(npm.pid ?? 0), 'SIGKILL')
    throw error
  }
  return 'stopped'
}
