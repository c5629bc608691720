import { median, percentile99 } from '../../testing/percentile.ts'
import { openRelay } from '../../testing/relay.ts'
import { newDataDir } from '../../testing/start-program.ts'
import { type Baseline, openBaseline } from '../baselines/baseline.ts'
import type { Arrival, Departure } from '../crowd.ts'
import { getResponse } from '../get-load.ts'
import type { Row } from '../row.ts'
import { openSubject } from '../subject.ts'
import { repeat, visit } from '../visit.ts'

const ROUNDS = 4
const ROUND_MS = 5_000
const INSERTS = 3_000
const CONNECTIONS = 64

/** Measures how long one visitor, who opens a new connection each time, waits while 64 others post without a pause. */
export async function* crowd(): AsyncIterable<Row> {
  await using relay = await openRelay()
  using dataDir = newDataDir()
  await using bare = await openBaseline('bare-inserts', { dataDir: dataDir.path })
  await using ours = await openSubject({ SMTP_URL: relay.url })
  const response = await ours.measure((url) => getResponse(url))
  await using empty = await openBaseline('bare-http', response)
  await using ourCrowd = await ours.measure((url) => openCrowd(url))
  await using emptyCrowd = await openCrowd(empty.ready.url)

  const rounds: (Visits & { inserts: number; control: Visits })[] = []
  for (let round = 0; round <= ROUNDS; round++) {
    const visits = await ours.measure((url) => visitDuring(ourCrowd, url))
    ours.confirm(visits.stored + visits.posts.length)
    const { rate: inserts } = await bare.ask({ amount: INSERTS })
    const control = await visitDuring(emptyCrowd, empty.ready.url)
    // The first round is only a warm-up.
    if (round > 0) rounds.push({ ...visits, inserts, control })
  }
  const middle = median(rounds.map(({ rate, inserts }) => rate / inserts))
  const typical = rounds.find(({ rate, inserts }) => rate / inserts === middle)
  yield {
    figure: 'durable POST, 64 connections and one more visitor',
    unit: '/s',
    ours: typical?.rate ?? Number.NaN,
    baseline: {
      name: 'bare better-sqlite3, two inserts and an fsync',
      value: typical?.inserts ?? Number.NaN,
    },
    target: { atLeast: 0.4 },
  }
  yield {
    figure: "the additional visitor's POST, p99",
    unit: 'ms',
    ours: percentile99(rounds.flatMap(({ posts }) => posts)),
    target: { atMost: 500 },
  }
  yield {
    figure: "the additional visitor's GET /, p99",
    unit: 'ms',
    ours: percentile99(rounds.flatMap(({ gets }) => gets)),
    target: { atMost: 150 },
  }
  yield {
    figure: 'time until 64 visitors who arrive together all have a response',
    unit: 'ms',
    ours: median(rounds.map(({ longestMs }) => longestMs)),
  }
  yield {
    figure: "the additional visitor's GET /, p99, at a bare node:http server with the same crowd",
    unit: 'ms',
    ours: percentile99(rounds.flatMap(({ control }) => control.gets)),
  }
}

const openCrowd = (url: string) => openBaseline('../crowd', { url, connections: CONNECTIONS })

type Visits = Arrival & Departure & { gets: number[]; posts: number[] }

async function visitDuring(crowd: Baseline, url: string): Promise<Visits> {
  const arrival = await crowd.ask({})
  const [gets = [], posts = []] = await Promise.all([
    repeat(() => visit.get(url), ROUND_MS),
    repeat(() => visit.post(url), ROUND_MS),
  ])
  return { gets, posts, ...arrival, ...(await crowd.ask({})) }
}
