import { setTimeout as sleep } from 'node:timers/promises'
import { percentile } from '../../testing/percentile.ts'
import { openBaseline } from '../baselines/baseline.ts'
import { getOnce, postOnce } from '../load.ts'
import type { Row } from '../row.ts'
import { openSubject } from '../subject.ts'

const WARM_UP_MS = 5_000
const MEASURED_MS = 20_000
const CONNECTIONS = 64

/**
 * Measures how long one visitor, who opens a new connection each time, waits while 64 others post
 * without a pause.
 */
export async function* crowd(): AsyncIterable<Row> {
  await using ours = await openSubject()
  const { gets, posts, stored } = await ours.measure(visitDuringCrowd)
  ours.confirm(stored + posts.length)
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

async function visitDuringCrowd(url: string) {
  await using others = await openBaseline('../crowd.ts', { url, connections: CONNECTIONS })
  await sleep(WARM_UP_MS)
  const [gets, posts] = await Promise.all([repeat(() => getOnce(url)), repeat(() => postOnce(url))])
  const { stored }: { stored: number } = await others.ask({})
  return { gets, posts, stored }
}

/** Repeats a visit. Returns how long each one took, in milliseconds. */
async function repeat(visitOnce: () => Promise<number>): Promise<number[]> {
  const until = performance.now() + MEASURED_MS
  const times: number[] = []
  while (performance.now() < until) times.push(await visitOnce())
  return times
}
