import { join } from 'node:path'
import { newDataDir } from '../../testing/start-program.ts'
import type { Weakness } from '../controls/weakenings.ts'
import { expectThat, type FaultCase } from '../fault-case.ts'
import { cutPower } from '../power/cut-power.ts'
import { type Event, readTrace } from '../power/read-trace.ts'
import { tracedTo } from '../strace.ts'
import { openTrial } from '../trial.ts'

const SHORT_POSTS = 30
// Enough for the log to be moved into the database in between (SQLite does so every 1000 pages).
const POSTS = 400

export const powerCuts: FaultCase[] = [
  {
    family: 'power',
    fault: 'power cut after every answer, modelled from a system-call trace: only synced bytes survive',
    expected: '0 acknowledged lost, every database whole',
    needs: ['strace'],
    run: ({ isShort }) => expectNothingLost(isShort ? SHORT_POSTS : POSTS, () => false),
  },
  {
    family: 'power',
    fault: 'the same, and any sector that was not synced survives or not',
    expected: '0 acknowledged lost, every database whole',
    needs: ['strace'],
    isLong: true,
    run: ({ isShort }) => expectNothingLost(isShort ? SHORT_POSTS : POSTS, () => Math.random() < 0.5),
  },
]

async function expectNothingLost(posts: number, survives: () => boolean): Promise<string> {
  const { outcome, syncs } = await losePower(posts, survives)
  const seen = `${outcome.lost} of ${outcome.cuts} lost, ${outcome.broken} broken; ${syncs} syncs`
  expectThat(outcome.cuts === posts && outcome.lost === 0 && outcome.broken === 0, seen)
  return seen
}

/** Records a program that answers so many posts, then plays a power cut after each of its answers. */
export async function losePower(posts: number, survives: () => boolean, weakness?: Weakness) {
  using folder = newDataDir()
  const trace = join(folder.path, 'trace')
  const events = await record(posts, trace, weakness)
  const outcome = await cutPower(events, join(folder.path, 'after'), survives)
  return { outcome, syncs: events.filter(({ type }) => type === 'sync').length }
}

async function record(posts: number, trace: string, weakness?: Weakness): Promise<Event[]> {
  await using trial = await openTrial()
  const program = await trial.start({ through: tracedTo(trace), ...(weakness && { weakness }) })
  // One after another: then the trace says which write belongs to which answer.
  for (let count = 0; count < posts; count++) await trial.ledger.post(program.url)
  await program.stop('SIGKILL')
  return await readTrace(`${trace}.${program.pid}`)
}
