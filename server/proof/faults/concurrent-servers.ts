import { setTimeout as sleep } from 'node:timers/promises'
import { createRecordingClient } from '../testing/recording-client.ts'
import { launchProgram } from '../testing/start-program.ts'
import { quietEnv } from './check-restart.ts'

const LIFE_MS = 600
const PAUSE_MS = 600

/** Keeps starting a server on the folder, posting to it, and stopping or killing it at random, until `end` is called. */
export function runConcurrentServers(folder: string) {
  const client = createRecordingClient()
  const output: string[] = []
  let isOver = false

  async function runOnce() {
    const program = launchProgram(quietEnv(folder))
    const port = await program.ready.catch(() => undefined)
    const until = performance.now() + Math.random() * LIFE_MS
    while (port && performance.now() < until) await client.post(`http://localhost:${port}`)
    await (port ? program.stop(Math.random() < 0.5 ? 'SIGTERM' : 'SIGKILL') : program.exited)
    output.push(...program.lines)
  }

  async function run() {
    do {
      await runOnce()
      await sleep(Math.random() * PAUSE_MS)
    } while (!isOver)
  }

  const running = run()
  return {
    /** Waits for the current server to end. Returns the acknowledged leads and all output. */
    async end() {
      isOver = true
      await running
      return {
        acknowledged: client.acknowledged().map(({ reference = '' }) => reference),
        output: output.join('\n'),
      }
    },
  }
}
