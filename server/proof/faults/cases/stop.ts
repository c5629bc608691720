import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { waitUntil } from '../../testing/wait-until.ts'
import { expectThat, type FaultCase } from '../fault-case.ts'
import { openHarness } from '../harness.ts'

const VISITORS = 6
const LOAD_MS = 500
const STOP_MS = 5000

export const stops: FaultCase[] = [
  {
    family: 'stop',
    fault: 'SIGTERM under load while an email is being sent',
    expected: 'exit 0 within 5 s, nothing lost or duplicated',
    run: () => stopUnderLoad([], (program) => process.kill(program, 'SIGTERM')),
  },
  {
    family: 'stop',
    fault: 'SIGTERM under load, as process 1 of a container',
    expected: 'exit 0 within 5 s, nothing lost or duplicated',
    needs: ['root'],
    isLong: true,
    run: () =>
      stopUnderLoad(['unshare', '--pid', '--fork', '--kill-child'], (parent) => {
        const first = Number(readFileSync(`/proc/${parent}/task/${parent}/children`, 'utf8'))
        process.kill(first, 'SIGTERM')
      }),
  },
]

async function stopUnderLoad(through: string[], terminate: (pid: number) => void): Promise<string> {
  await using harness = await openHarness()
  harness.relay.misbehave('dot', () => undefined)
  const program = await harness.start({ through })
  const load = harness.client.load(program.url, VISITORS, () => false)
  await waitUntil('an email is being sent', () => harness.relay.reached.has('dot'))
  await sleep(LOAD_MS)
  const startedAt = performance.now()
  terminate(program.pid)
  const code = await program.exited
  const took = performance.now() - startedAt
  await load
  expectThat(code === 0 && took <= STOP_MS, `exit ${code} after ${took.toFixed()} ms`)
  return `exit 0 after ${took.toFixed()} ms; ${await harness.recoverAndVerify()}`
}
