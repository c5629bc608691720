import { createGroupCommit } from '../../../database/group-commit.ts'
import { openDatabase } from '../../../database/sqlite.ts'
import { createOutboxStore } from '../../../outbox/outbox-store.ts'
import { fillDatabase } from '../../testing/fill-database.ts'
import { median } from '../../testing/percentile.ts'
import { openRelay } from '../../testing/relay.ts'
import { alternate } from '../rounds.ts'
import type { Row } from '../row.ts'
import { runLeads } from '../run-leads.ts'
import { startRow } from '../start-row.ts'
import { openSubject } from '../subject.ts'

const ROUNDS = 11
const [FEW, SOME, MANY] = [1_000, 100_000, 1_000_000]
const POSTS = { connections: 8, amount: 500 }
const MAX_SLOWDOWN = { atMost: 1.2 }
// How much more memory an export of ten times as many leads may use. Up to this factor, the growth is only garbage that V8
// hasn't collected yet.
const MAX_MEMORY_GROWTH = { atMost: 1.5 }
const CLAIMS = 200
const timeRatio = (our: { ms: number }, their: { ms: number }) => our.ms / their.ms

/** Measures how speed changes with size: 1,000, 100,000 and 1,000,000 stored leads, and 100,000 waiting emails. */
export async function* measure(): AsyncIterable<Row> {
  using few = await fillDatabase(FEW)
  using some = await fillDatabase(SOME)
  yield* commands('100,000', some.path, few.path)
  yield* posts('100,000', some.path, few.path)
  {
    using waiting = await fillDatabase(SOME, 'waiting')
    using calm = await fillDatabase(FEW)
    yield* queue(waiting.path, calm.path)
  }
  using many = await fillDatabase(MANY)
  yield* commands('1,000,000', many.path, few.path)
  yield* exports(many.path, some.path)
  yield* posts('1,000,000', many.path, few.path)
}

async function* commands(count: string, full: string, few: string): AsyncIterable<Row> {
  for (const [args, target] of [
    [['list'], MAX_SLOWDOWN],
    [['list', '--mail', 'failed'], undefined],
    [['show', 'Q-0000-0500'], undefined],
  ] as const) {
    const { ours, theirs } = await alternate(
      ROUNDS,
      () => runLeads(full, args),
      () => runLeads(few, args),
      timeRatio,
    )
    yield {
      figure: `leads ${args.join(' ')}, ${count} leads`,
      unit: 'ms',
      ours: ours.ms,
      baseline: { name: 'with 1,000 leads', value: theirs.ms },
      ...(target && { target }),
    }
  }
}

async function* exports(many: string, some: string): AsyncIterable<Row> {
  for (const args of [['export'], ['export', '--json']]) {
    const [ours, theirs] = [await runLeads(many, args), await runLeads(some, args)]
    yield {
      figure: `leads ${args.join(' ')}, 1,000,000 leads, peak memory`,
      unit: 'MB',
      ours: ours.mb,
      baseline: { name: 'with 100,000 leads', value: theirs.mb },
      target: MAX_MEMORY_GROWTH,
    }
  }
}

async function* posts(count: string, full: string, few: string): AsyncIterable<Row> {
  yield await startRow(`start to ready, ${count} leads`, full)
  await using relay = await silentRelay()
  await using ours = await openSubject({ SMTP_URL: relay.url }, existing(full))
  await using theirs = await openSubject({ SMTP_URL: relay.url }, existing(few))
  yield* postRow(`POST, p50, ${count} leads`, ours, theirs)
}

async function* postRow(
  figure: string,
  full: Awaited<ReturnType<typeof openSubject>>,
  few: Awaited<ReturnType<typeof openSubject>>,
): AsyncIterable<Row> {
  const { ours, theirs } = await alternate(
    ROUNDS,
    () => full.post(POSTS),
    () => few.post(POSTS),
    (our, their) => our.p50 / their.p50,
  )
  yield {
    figure,
    unit: 'ms',
    ours: ours.p50,
    baseline: { name: 'with 1,000 leads', value: theirs.p50 },
    target: MAX_SLOWDOWN,
  }
}

/** Measures the server during an email outage, when many emails are waiting for a retry. */
async function* queue(waiting: string, few: string): AsyncIterable<Row> {
  yield* claims(waiting, few)
  await using relay = await silentRelay()
  await using ours = await openSubject({ SMTP_URL: relay.url }, existing(waiting))
  await using theirs = await openSubject({ SMTP_URL: relay.url }, existing(few))
  yield* postRow('POST, p50, 100,000 emails waiting', ours, theirs)
  const ask = (subject: typeof ours) => () => subject.measure(timeHealth)
  const health = await alternate(ROUNDS, ask(ours), ask(theirs), timeRatio)
  yield {
    figure: 'GET /healthz/mail, 100,000 emails waiting',
    unit: 'ms',
    ours: health.ours.ms,
    baseline: { name: 'with 1,000 leads, whose emails were all sent', value: health.theirs.ms },
    target: MAX_SLOWDOWN,
  }
}

async function timeHealth(url: string) {
  const durations: number[] = []
  for (let count = 0; count < 100; count++) {
    const startedAt = performance.now()
    await (await fetch(`${url}/healthz/mail`)).text()
    durations.push(performance.now() - startedAt)
  }
  return { ms: median(durations) }
}

async function* claims(waiting: string, few: string): AsyncIterable<Row> {
  const [ours, theirs] = [await openDatabase(waiting), await openDatabase(few)]
  const claim = (db: typeof ours) => async () => {
    const durations: number[] = []
    for (let count = 0; count < CLAIMS; count++) {
      const startedAt = performance.now()
      await createOutboxStore({ db: db, write: createGroupCommit(db), mailTo: [] }).claim(new Date())
      durations.push(performance.now() - startedAt)
    }
    return { ms: median(durations) }
  }
  const seen = await alternate(ROUNDS, claim(ours), claim(theirs), timeRatio)
  await Promise.all([ours.destroy(), theirs.destroy()])
  yield {
    figure: 'time to look for a due email, 100,000 emails waiting',
    unit: 'ms',
    ours: seen.ours.ms,
    baseline: { name: 'with none waiting', value: seen.theirs.ms },
    target: MAX_SLOWDOWN,
  }
}

/** A data directory that openSubject must not delete. */
const existing = (path: string) => ({ path, [Symbol.dispose]: () => {} })

async function silentRelay() {
  const relay = await openRelay()
  relay.misbehave('connect', () => undefined)
  return relay
}
