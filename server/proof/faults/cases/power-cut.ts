import { join } from 'node:path'
import { newDataDir } from '../../testing/start-program.ts'
import { control } from '../controls/control.ts'
import type { Weakness } from '../controls/weakenings.ts'
import { expectThat, type FaultCase } from '../fault-case.ts'
import { openHarness } from '../harness.ts'
import { cutPower } from '../power/cut-power.ts'
import { type Event, readTrace } from '../power/read-trace.ts'
import { tracedTo } from '../strace.ts'

const SHORT_POSTS = 30
// Enough for a WAL checkpoint (SQLite: every 1000 pages).
const POSTS = 400
const CONTROL_POSTS = 40

export const powerCuts: FaultCase[] = [
  {
    family: 'power',
    fault: 'a power cut after every response, modeled from a system-call trace: only synced bytes survive',
    expected: '0 acknowledged leads lost, no database damaged',
    needs: ['strace'],
    run: ({ isShort }) => expectNothingLost(isShort ? SHORT_POSTS : POSTS, () => false),
  },
  {
    family: 'power',
    fault: 'a power cut after every response, modeled from a trace: each unsynced sector survives at random',
    expected: '0 acknowledged leads lost, no database damaged',
    needs: ['strace'],
    isLong: true,
    run: ({ isShort }) => expectNothingLost(isShort ? SHORT_POSTS : POSTS, () => Math.random() < 0.5),
  },
  control({
    what: 'no acknowledged lead is lost in a power cut',
    weakness: 'synchronous=NORMAL',
    isSqliteOnly: true,
    needs: ['strace'],
    async check(weakness) {
      const { outcome } = await losePower(CONTROL_POSTS, () => false, weakness)
      return outcome.lost > 0 ? [`${outcome.lost} of ${outcome.cuts} lost`] : []
    },
  }),
]

async function expectNothingLost(posts: number, survives: () => boolean): Promise<string> {
  const { outcome, syncs } = await losePower(posts, survives)
  const seen = `${outcome.lost} of ${outcome.cuts} lost, ${outcome.broken} damaged; ${syncs} syncs`
  expectThat(outcome.cuts === posts && outcome.lost === 0 && outcome.broken === 0, seen)
  return seen
}

/** Records a program that handles `posts` POSTs, then simulates a power cut after each response. */
async function losePower(posts: number, survives: () => boolean, weakness?: Weakness) {
  using folder = newDataDir()
  const trace = join(folder.path, 'trace')
  const events = await record(posts, trace, weakness)
  const outcome = await cutPower(events, join(folder.path, 'after'), survives)
  return { outcome, syncs: events.filter(({ type }) => type === 'sync').length }
}

async function record(posts: number, trace: string, weakness?: Weakness): Promise<Event[]> {
  await using harness = await openHarness()
  const program = await harness.start({ through: tracedTo(trace), ...(weakness && { weakness }) })
  // One by one, so that the trace shows which write belongs to which response.
  for (let count = 0; count < posts; count++) await harness.client.post(program.url)
  await program.stop('SIGKILL')
  return await readTrace(`${trace}.${program.pid}`)
}
