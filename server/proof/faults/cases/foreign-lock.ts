import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import Sqlite from 'better-sqlite3'
import { expectThat, type FaultCase } from '../fault-case.ts'
import { openHarness } from '../harness.ts'

const HOLD_MS = 8_000
// The server waits for the lock for 5 s.
const LATE_POST_MS = 6_000
const NOTE_MS = 500
const PAUSE_MS = 200
const PAGE_MS = 200

export const foreignLock: FaultCase = {
  family: 'disk',
  fault: `another program holds the database's write lock for ${HOLD_MS / 1000} s`,
  expected:
    'a request that would have to wait for more than 5 s gets 503; another waits for the lock and gets 200; the page is served without waiting',
  isLong: true,
  async run() {
    await using harness = await openHarness()
    const program = await harness.start()
    // In a new database, the first run of the digest writes a note, and would wait for the lock before the request.
    await sleep(NOTE_MS)
    const other = new Sqlite(join(harness.dataDir, 'leads.db'))
    other.exec('BEGIN IMMEDIATE')
    const early = harness.client.post(program.url)
    const late = sleep(LATE_POST_MS).then(() => harness.client.post(program.url))
    const pageTimes: number[] = []
    for (const until = performance.now() + HOLD_MS; performance.now() < until; await sleep(PAUSE_MS)) {
      const askedAt = performance.now()
      expectThat((await fetch(program.url)).status === 200, 'no page')
      pageTimes.push(performance.now() - askedAt)
    }
    other.close()
    const statuses = (await Promise.all([early, late])).map((entry) => entry.statuses[0])
    expectThat(statuses.join() === '503,200', `${statuses} instead of 503, 200`)
    const slowest = Math.max(...pageTimes)
    expectThat(slowest < PAGE_MS, `the page took ${slowest.toFixed()} ms`)
    await program.stop()
    return `503, then 200; slowest page ${slowest.toFixed()} ms; ${await harness.recoverAndVerify()}`
  },
}
