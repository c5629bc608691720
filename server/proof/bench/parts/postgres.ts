import { tmpdir } from 'node:os'
import { preparePostgres } from '../../../database/postgres.ts'
import { createDatabase } from '../../testing/create-database.ts'
import { openRelay } from '../../testing/relay.ts'
import { findPostgres, startPostgres } from '../../testing/start-postgres.ts'
import { type Baseline, openBaseline } from '../baselines/baseline.ts'
import type { PostLoad } from '../post-load.ts'
import { alternate } from '../rounds.ts'
import type { Row } from '../row.ts'
import { openSubject, type Subject } from '../subject.ts'

const ROUNDS = 5
const loads: Record<string, PostLoad> = {
  '64 connections': { connections: 64, amount: 2_000 },
  '1 connection': { connections: 1, amount: 300 },
}
// Visitors would notice a longer wait.
const MAX_P99_MS = 1_000

/** Compares our server on PostgreSQL with a bare loop of inserts, and with our server on SQLite. */
export async function* measure(): AsyncIterable<Row> {
  const programs = findPostgres()
  if (!programs) {
    process.stderr.write(
      'PostgreSQL is not installed (Debian: apt-get install postgresql): its rows are SKIPPED.\n',
    )
    return
  }
  // Use the same disk as for SQLite. By default, the data would be in memory, where an fsync costs nothing.
  await using postgres = await startPostgres(programs, tmpdir())
  const bareUrl = await createDatabase(postgres.urlOf('postgres'), 'bare')
  await (await preparePostgres(bareUrl)).destroy()
  await using bare = await openBaseline('bare-pg-inserts', { url: bareUrl })
  await using relay = await openRelay()
  await using ours = await openSubject({ SMTP_URL: relay.url, DATABASE_URL: postgres.urlOf('postgres') })
  yield* comparedWithBare(ours, bare)
  await using sqlite = await openSubject({ SMTP_URL: relay.url })
  for (const [name, load] of Object.entries(loads)) yield* comparedWithSqlite(name, load, ours, sqlite)
  yield {
    figure: 'PostgreSQL, memory after these POSTs (RSS)',
    unit: 'MB',
    ours: ours.residentMb(),
    baseline: { name: 'SQLite', value: sqlite.residentMb() },
  }
}

async function* comparedWithBare(ours: Subject, bare: Baseline): AsyncIterable<Row> {
  const load = loads['64 connections'] as PostLoad
  const { ours: our, theirs } = await alternate(
    ROUNDS,
    () => ours.post(load),
    (): Promise<{ rate: number }> => bare.ask(load),
    (our, their) => our.rate / their.rate,
  )
  yield {
    figure: 'PostgreSQL, durable POST, 64 connections',
    unit: '/s',
    ours: our.rate,
    baseline: { name: 'bare pg, two inserts and a commit, as many database connections', value: theirs.rate },
    target: { atLeast: 0.2 },
  }
  yield {
    figure: 'PostgreSQL, p99 of POST, 64 connections',
    unit: 'ms',
    ours: our.p99,
    target: { atMost: MAX_P99_MS },
  }
}

async function* comparedWithSqlite(
  name: string,
  load: PostLoad,
  ours: Subject,
  sqlite: Subject,
): AsyncIterable<Row> {
  const { ours: our, theirs } = await alternate(
    ROUNDS,
    () => ours.post(load),
    () => sqlite.post(load),
    (our, their) => our.rate / their.rate,
  )
  const baseline = (value: number) => ({ name: 'SQLite', value })
  yield {
    figure: `PostgreSQL, durable POST, ${name}`,
    unit: '/s',
    ours: our.rate,
    baseline: baseline(theirs.rate),
  }
  yield {
    figure: `PostgreSQL, p99 of POST, ${name}`,
    unit: 'ms',
    ours: our.p99,
    baseline: baseline(theirs.p99),
  }
}
