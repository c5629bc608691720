import { randomInt } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { waitUntil } from '../../testing/wait-until.ts'
import type { FaultCase } from '../fault-case.ts'
import { openHarness } from '../harness.ts'

const REPLICAS = 3
const VISITORS = 6
const KILL_EVERY_MS = 1000
const KILLS = 60
// A replica's lease on an email lasts 7 minutes. After that, another replica has to find the email
// (it polls twice a second) and send it.
const LEASE_OVER_MS = 440_000

export const replicas: FaultCase[] = [
  {
    family: 'replicas',
    fault: `${REPLICAS} replicas on one PostgreSQL under load, one killed per second, ${KILLS} times`,
    expected: 'no acknowledged lead is lost or duplicated, and each email is sent',
    needs: ['postgres'],
    run: killReplicas,
  },
]

async function killReplicas(): Promise<string> {
  await using harness = await openHarness({ database: 'postgres' })
  const programs = await Promise.all(Array.from({ length: REPLICAS }, () => harness.start()))
  // The restarts in progress: a replica may be killed while another one is still starting.
  const starting: Promise<void>[] = []
  const anyUrl = () => programs[randomInt(REPLICAS)]?.url ?? ''
  const load = harness.client.visit(anyUrl, VISITORS)
  const startedAt = performance.now()
  for (let kill = 0; kill < KILLS; kill++) {
    await sleep(Math.max(0, startedAt + (kill + 1) * KILL_EVERY_MS - performance.now()))
    const index = kill % REPLICAS
    await starting[index]
    await programs[index]?.stop('SIGKILL')
    starting[index] = harness.start().then((program) => {
      programs[index] = program
    })
  }
  const seconds = Math.round((performance.now() - startedAt) / 1000)
  await Promise.all(starting)
  await load.end()
  const isAllSent = () => harness.query(async (stored) => (await stored.waitingEmails()) === 0)
  await waitUntil('every email is sent', isAllSent, LEASE_OVER_MS)
  for (const program of programs) await program.stop()
  return `${KILLS} kills in ${seconds} s; ${await harness.recoverAndVerify()}`
}
