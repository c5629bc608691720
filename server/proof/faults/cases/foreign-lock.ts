import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import Sqlite from 'better-sqlite3'
import { expectThat, type FaultCase } from '../fault-case.ts'
import { openHarness } from '../harness.ts'

const HOLD_MS = 4_000
// The server waits for the lock for 250 ms, twice at most: for the request, and for the next email.
const REFUSED_MS = 1_000
const PAUSE_MS = 200
const PAGE_MS = 1_000

export const foreignLock: FaultCase = {
  family: 'disk',
  fault: `another program holds the database's write lock for ${HOLD_MS / 1000} s`,
  expected: 'a request gets 503 within a second and, after the lock, 200; the page is still served',
  isLong: true,
  async run() {
    await using harness = await openHarness()
    const program = await harness.start()
    const other = new Sqlite(join(harness.dataDir, 'leads.db'))
    other.exec('BEGIN IMMEDIATE')
    const askedFirst = performance.now()
    const refused = await harness.client.post(program.url)
    const refusedMs = performance.now() - askedFirst
    expectThat(refused.statuses[0] === 503, `${refused.statuses} instead of 503`)
    expectThat(refusedMs < REFUSED_MS, `503 only after ${refusedMs.toFixed()} ms`)
    const pageTimes: number[] = []
    for (const until = performance.now() + HOLD_MS; performance.now() < until; await sleep(PAUSE_MS)) {
      const askedAt = performance.now()
      expectThat((await fetch(program.url)).status === 200, 'no page')
      pageTimes.push(performance.now() - askedAt)
    }
    other.close()
    const accepted = await harness.client.post(program.url)
    expectThat(accepted.statuses[0] === 200, `${accepted.statuses} instead of 200`)
    const slowest = Math.max(...pageTimes)
    expectThat(slowest < PAGE_MS, `the page took ${slowest.toFixed()} ms`)
    await program.stop()
    return `503, then 200; slowest page ${slowest.toFixed()} ms; ${await harness.recoverAndVerify()}`
  },
}
