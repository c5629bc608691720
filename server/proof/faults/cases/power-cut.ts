import { join } from 'node:path'
import { newDataDir } from '../../testing/start-program.ts'
import { control } from '../controls/control.ts'
import type { Weakness } from '../controls/weakenings.ts'
import { expectThat, type FaultCase } from '../fault-case.ts'
import { openHarness } from '../harness.ts'
import { options } from '../options.ts'
import { cutPower } from '../power/cut-power.ts'
import { readTrace, type TraceEvent } from '../power/read-trace.ts'
import { tracedTo } from '../strace.ts'

const SHORT_POSTS = 10
// Enough for a WAL checkpoint, which SQLite makes every 1000 pages.
const POSTS = 400
const CONTROL_POSTS = 10

export const powerCuts: FaultCase[] = [
  {
    family: 'power',
    fault:
      'a power failure after every response, modeled from a system-call trace: only synced bytes survive',
    expected: '0 acknowledged leads lost, no database damaged',
    needs: ['strace'],
    inShortRun: true,
    run: () => expectNothingLost(options.short ? SHORT_POSTS : POSTS, () => false),
  },
  {
    family: 'power',
    fault:
      'a power failure after every response, modeled from a trace: each unsynced sector survives at random',
    expected: '0 acknowledged leads lost, no database damaged',
    needs: ['strace'],
    run: () => expectNothingLost(POSTS, () => Math.random() < 0.5),
  },
  control({
    what: 'no acknowledged lead is lost in a power failure',
    weakness: 'synchronous=NORMAL',
    inShortRun: true,
    isSqliteOnly: true,
    needs: ['strace'],
    async check(weakness) {
      const { outcome } = await losePower(CONTROL_POSTS, () => false, weakness)
      return outcome.lost > 0 ? [`${outcome.lost} of ${outcome.cuts} lost`] : []
    },
  }),
]

async function expectNothingLost(count: number, survives: () => boolean): Promise<string> {
  const { outcome, syncs } = await losePower(count, survives)
  const seen = `${outcome.lost} of ${outcome.cuts} lost, ${outcome.broken} damaged; ${syncs} syncs`
  expectThat(outcome.cuts === count && outcome.lost === 0 && outcome.broken === 0, seen)
  return seen
}

/**
 * Traces the program while it handles `count` requests, then simulates a power failure after each
 * response.
 */
async function losePower(count: number, survives: () => boolean, weakness?: Weakness) {
  using folder = newDataDir()
  const trace = join(folder.path, 'trace')
  const events = await record(trace, count, weakness)
  const outcome = await cutPower(events, join(folder.path, 'after'), survives)
  return { outcome, syncs: events.filter(({ type }) => type === 'sync').length }
}

async function record(trace: string, count: number, weakness?: Weakness): Promise<TraceEvent[]> {
  await using harness = await openHarness()
  const program = await harness.start({ through: tracedTo(trace), weakness })
  // One by one, so that the trace shows which write belongs to which response.
  for (let number = 0; number < count; number++) await harness.client.post(program.url)
  await program.stop('SIGKILL')
  return readTrace(`${trace}.${program.pid}`)
}
