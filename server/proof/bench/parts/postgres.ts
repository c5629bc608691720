import { tmpdir } from 'node:os'
import { openRelay } from '../../testing/relay.ts'
import { findPostgres, startPostgres } from '../../testing/start-postgres.ts'
import type { PostLoad } from '../post-load.ts'
import { alternate } from '../rounds.ts'
import type { Row } from '../row.ts'
import { openSubject, type Subject } from '../subject.ts'

const ROUNDS = 5
const loads: Record<string, PostLoad> = {
  '64 connections': { connections: 64, amount: 2_000 },
  '1 connection': { connections: 1, amount: 300 },
}

/** Compares PostgreSQL, which runs in a separate process and does its own fsync, with SQLite. */
export async function* measure(): AsyncIterable<Row> {
  const programs = findPostgres()
  if (!programs) {
    process.stderr.write(
      'PostgreSQL is not installed (Debian: apt-get install postgresql): its rows are SKIPPED.\n',
    )
    return
  }
  // Use the same disk as for SQLite, because in memory, an fsync costs nothing.
  await using postgres = await startPostgres(programs, tmpdir())
  await using relay = await openRelay()
  await using ours = await openSubject({ SMTP_URL: relay.url, DATABASE_URL: postgres.urlOf('postgres') })
  await using sqlite = await openSubject({ SMTP_URL: relay.url })
  for (const [name, load] of Object.entries(loads)) yield* posts(name, load, ours, sqlite)
  yield {
    figure: 'PostgreSQL, memory after these POSTs (RSS)',
    unit: 'MB',
    ours: ours.residentMb(),
    baseline: { name: 'SQLite', value: sqlite.residentMb() },
  }
}

async function* posts(name: string, load: PostLoad, ours: Subject, sqlite: Subject): AsyncIterable<Row> {
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
