import { setTimeout as sleep } from 'node:timers/promises'
import { median } from '../../testing/percentile.ts'
import { waitUntil } from '../../testing/wait-until.ts'
import { expectThat, type FaultCase } from '../fault-case.ts'
import { type Harness, openHarness } from '../harness.ts'
import { expectNoFault, killAtEach } from '../kill-at-each.ts'
import { options } from '../options.ts'
import { databaseFiles, injectInto, storageCalls } from '../strace.ts'
import { lostOrDouble } from '../verify.ts'

const VISITORS = 6
// The kill comes at a random moment, at most this long after the program is ready.
const LIFE_MS = 250
const BOOT_KILL_SHARE = 0.15
const READY_AGAIN_MS = 2000
const SHORT_ROUNDS = 2

export const kills: FaultCase[] = [
  {
    family: 'kill',
    fault: 'kill -9 at random moments, under load and during startup',
    expected:
      'no acknowledged lead is lost or duplicated; the server is ready again within 2 s (median, long run only)',
    inShortRun: true,
    async run() {
      const total = options.short ? SHORT_ROUNDS : Number(options.rounds)
      await using harness = await openHarness()
      const readyAfter: number[] = []
      for (let round = 0; round < total; round++) {
        // Don't kill the first program before it's ready, so that at least one time is measured.
        const tookMs = await killOnce(harness, round > 0)
        if (tookMs !== undefined) readyAfter.push(tookMs)
      }
      const seen = await harness.recoverAndVerify()
      const again = median(readyAfter)
      const times = `ready again after ${again.toFixed()} ms (longest ${Math.max(...readyAfter).toFixed()})`
      // Not in the short run, because the median of a few rounds is noisy.
      expectThat(options.short || again <= READY_AGAIN_MS, times)
      return `${total} rounds: ${seen}; ${times}`
    },
  },
]

/**
 * Starts the program and kills it. Returns the milliseconds until it was ready, if it got that far.
 */
async function killOnce(harness: Harness, mayKillAtStart: boolean): Promise<number | undefined> {
  const startedAt = performance.now()
  const program = harness.launch()
  if (mayKillAtStart && Math.random() < BOOT_KILL_SHARE) {
    await sleep(Math.random() * 500)
    await program.stop('SIGKILL')
    return undefined
  }
  const url = `http://localhost:${await program.ready}`
  const readyAfter = performance.now() - startedAt
  // Query only after the start: opening the database recovers it after a kill, and the program
  // itself must do that.
  const found = await harness.query(async (stored) => lostOrDouble(harness.client, await stored.leads()))
  expectThat(found.length === 0, found.join())
  const again = harness.client.unanswered().map((entry) => harness.client.repeat(url, entry))
  const load = harness.client.load(url, VISITORS)
  await sleep(Math.random() * LIFE_MS)
  await program.stop('SIGKILL')
  await Promise.all([load.ended, ...again])
  return readyAfter
}

// Storage calls are counted only on the database files. `write` is counted on any file, because the
// program uses it for sockets and the log.
export const systemCallKills: FaultCase[] = [...storageCalls, 'write'].map((call) => ({
  family: 'kill',
  fault: `the server is killed at each ${call} while it stores and emails a lead`,
  expected: 'no acknowledged lead is lost or duplicated',
  needs: ['strace'],
  async run() {
    await using harness = await openHarness()
    const paths = call === 'write' ? [] : databaseFiles(harness.dataDir)
    const seen = await expectNoFault(killAtEach([call], (_call, nth) => killAt(harness, call, nth, paths)))
    return `${seen}; ${await harness.recoverAndVerify()}`
  },
}))

/** Kills the program at the nth call while it stores and emails a lead. */
async function killAt(harness: Harness, call: string, nth: number, paths: readonly string[]) {
  const program = await harness.start()
  const { length } = harness.relay.emails
  const tracer = await injectInto(program.pid, `${call}:signal=KILL:when=${nth}`, paths)
  await harness.client.post(program.url)
  const delivered = () => harness.relay.emails.length > length
  await Promise.race([program.exited, waitUntil('the email is sent', delivered)])
  // The nth call may come later: when the email is recorded as sent, or when the program
  // checkpoints the WAL as it stops.
  const code = await Promise.race([program.exited, program.stop()])
  await tracer.detach()
  if (code === 0) return undefined
  return code === null ? [] : [`exit code ${code}`]
}
