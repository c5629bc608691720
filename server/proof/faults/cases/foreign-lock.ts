import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import Sqlite from 'better-sqlite3'
import { expectThat, type FaultCase } from '../fault-case.ts'
import { openHarness } from '../harness.ts'

const HOLD_MS = 10_000
const PAUSE_MS = 200
// The server blocks for up to 250 ms while it waits for the lock, so a page that is requested during that time waits, too.
// The rest is slack.
const PAGE_MS = 1_500

export const foreignLock: FaultCase = {
  family: 'disk',
  fault: `another program holds the database's write lock for ${HOLD_MS / 1000} s`,
  expected:
    'requests get 503 while the database is locked, and 200 right afterward; the page is served all the time',
  isLong: true,
  async run() {
    await using harness = await openHarness()
    const program = await harness.start()
    const other = new Sqlite(join(harness.dataDir, 'leads.db'))
    other.exec('BEGIN IMMEDIATE')
    const pageTimes: number[] = []
    const until = performance.now() + HOLD_MS
    while (performance.now() < until) {
      const entry = await harness.client.post(program.url)
      expectThat(entry.statuses[0] === 503, `${entry.statuses[0]} while the database was locked`)
      const askedAt = performance.now()
      expectThat((await fetch(program.url)).status === 200, 'no page')
      pageTimes.push(performance.now() - askedAt)
      await sleep(PAUSE_MS)
    }
    other.close()
    const after = await harness.client.post(program.url)
    expectThat(after.statuses[0] === 200, `${after.statuses[0]} after the lock`)
    const slowest = Math.max(...pageTimes)
    expectThat(slowest < PAGE_MS, `the page took ${slowest.toFixed()} ms`)
    await program.stop()
    return `${pageTimes.length} times 503, slowest page ${slowest.toFixed()} ms; ${await harness.recoverAndVerify()}`
  },
}
