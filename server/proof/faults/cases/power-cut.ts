import { join } from 'node:path'
import { newDataDir } from '../../testing/start-program.ts'
import { control } from '../controls/control.ts'
import type { Weakness } from '../controls/weakenings.ts'
import { expectThat, type FaultCase } from '../fault-case.ts'
import { type Harness, openHarness } from '../harness.ts'
import { newAnswer, openOwnerClient } from '../owner-client.ts'
import { cutPower } from '../power/cut-power.ts'
import { readTrace, type TraceEvent } from '../power/read-trace.ts'
import { tracedTo } from '../strace.ts'

const SHORT_POSTS = 10
// Enough for a WAL checkpoint, which SQLite makes every 1000 pages.
const POSTS = 400
const CONTROL_POSTS = 10
const ANSWERS = 100

export const powerCuts: FaultCase[] = [
  {
    family: 'power',
    fault:
      'a power failure after every response, modeled from a system-call trace: only synced bytes survive',
    expected: '0 acknowledged leads lost, no database damaged',
    needs: ['strace'],
    run: ({ isShort }) => expectNothingLost(isShort ? SHORT_POSTS : POSTS, () => false),
  },
  {
    family: 'power',
    fault:
      'a power failure after every response, modeled from a trace: each unsynced sector survives at random',
    expected: '0 acknowledged leads lost, no database damaged',
    needs: ['strace'],
    isLong: true,
    run: () => expectNothingLost(POSTS, () => Math.random() < 0.5),
  },
  {
    family: 'power',
    fault: 'a power failure after each acknowledged answer, modeled from a system-call trace',
    expected: '0 acknowledged answers lost, no database damaged',
    needs: ['strace'],
    isLong: true,
    run: () => expectNothingLost(ANSWERS, () => false, answerLeads),
  },
  control({
    what: 'no acknowledged lead is lost in a power failure',
    weakness: 'synchronous=NORMAL',
    isSqliteOnly: true,
    needs: ['strace'],
    async check(weakness) {
      const { outcome } = await losePower(CONTROL_POSTS, () => false, { weakness })
      return outcome.lost > 0 ? [`${outcome.lost} of ${outcome.cuts} lost`] : []
    },
  }),
  control({
    what: 'no acknowledged answer is lost in a power failure',
    weakness: 'synchronous=NORMAL',
    isSqliteOnly: true,
    isLong: true,
    needs: ['strace'],
    async check(weakness) {
      const { outcome } = await losePower(CONTROL_POSTS, () => false, { work: answerLeads, weakness })
      return outcome.lost > 0 ? [`${outcome.lost} of ${outcome.cuts} lost`] : []
    },
  }),
]

/**
 * Posts `count` leads, and may also answer them. Returns the references of the acknowledged leads, or the keys of the
 * acknowledged answers.
 */
type Work = (harness: Harness, url: string, count: number) => Promise<string[]>

async function expectNothingLost(count: number, survives: () => boolean, work?: Work): Promise<string> {
  const { outcome, syncs } = await losePower(count, survives, { work })
  const seen = `${outcome.lost} of ${outcome.cuts} lost, ${outcome.broken} damaged; ${syncs} syncs`
  expectThat(outcome.cuts === count && outcome.lost === 0 && outcome.broken === 0, seen)
  return seen
}

type Losing = { work?: Work | undefined; weakness?: Weakness | undefined }

/** Traces the program while it handles `count` requests, then simulates a power failure after each response. */
async function losePower(count: number, survives: () => boolean, { work = postLeads, weakness }: Losing) {
  using folder = newDataDir()
  const trace = join(folder.path, 'trace')
  const events = await record(trace, (harness, url) => work(harness, url, count), weakness)
  const outcome = await cutPower(events, join(folder.path, 'after'), survives)
  return { outcome, syncs: events.filter(({ type }) => type === 'sync').length }
}

async function record(
  trace: string,
  work: (harness: Harness, url: string) => Promise<string[]>,
  weakness?: Weakness,
): Promise<TraceEvent[]> {
  await using harness = await openHarness()
  const program = await harness.start({ through: tracedTo(trace), ...(weakness && { weakness }) })
  const ids = await work(harness, program.url)
  await program.stop('SIGKILL')
  const events = await readTrace(`${trace}.${program.pid}`)
  return events.filter((event) => event.type !== 'acknowledgment' || ids.includes(event.id))
}

/** Posts leads one by one, so that the trace shows which write belongs to which response. */
async function postLeads({ client }: Harness, url: string, count: number) {
  for (let number = 0; number < count; number++) await client.post(url)
  return client.entries.map(({ reference = '' }) => reference)
}

async function answerLeads(harness: Harness, url: string, count: number) {
  const owner = await openOwnerClient(harness, url)
  const answers = (await postLeads(harness, url, count)).map(newAnswer)
  for (const answer of answers) await owner.send(url, answer)
  return answers.map(({ key }) => key)
}
