import { percentile } from '../../testing/percentile.ts'
import { openRelay } from '../../testing/relay.ts'
import { type Baseline, openBaseline } from '../baselines/baseline.ts'
import { visit } from '../load.ts'
import type { Row } from '../row.ts'
import { openSubject } from '../subject.ts'

const ROUNDS = 4
const ROUND_MS = 5_000
const CONNECTIONS = 64

/** Measures how long one visitor, who opens a new connection each time, waits while 64 others post without a pause. */
export async function* crowd(): AsyncIterable<Row> {
  await using relay = await openRelay()
  await using ours = await openSubject({ SMTP_URL: relay.url })
  await using others = await ours.measure((url) =>
    openBaseline('../crowd.ts', { url, connections: CONNECTIONS }),
  )
  const gets: number[] = []
  const posts: number[] = []
  for (let round = 0; round <= ROUNDS; round++) {
    const seen = await ours.measure((url) => visitDuring(others, url))
    ours.confirm(seen.stored + seen.posts.length)
    // The first round is only a warm-up.
    if (round === 0) continue
    gets.push(...seen.gets)
    posts.push(...seen.posts)
  }
  yield {
    figure: "the additional visitor's POST, p99",
    unit: 'ms',
    ours: percentile(posts, 0.99),
    target: { atMost: 500 },
  }
  yield {
    figure: "the additional visitor's GET /, p99",
    unit: 'ms',
    ours: percentile(gets, 0.99),
    target: { atMost: 150 },
  }
}

async function visitDuring(others: Baseline, url: string) {
  await others.ask({})
  const [gets, posts] = await Promise.all([
    repeat(() => visit.get(url), ROUND_MS),
    repeat(() => visit.post(url), ROUND_MS),
  ])
  const { stored }: { stored: number } = await others.ask({})
  return { gets, posts, stored }
}

/** Repeats a visit for this many milliseconds. Returns how long each visit took. */
async function repeat(visitOnce: () => Promise<number>, milliseconds: number): Promise<number[]> {
  const until = performance.now() + milliseconds
  const times: number[] = []
  while (performance.now() < until) times.push(await visitOnce())
  return times
}
