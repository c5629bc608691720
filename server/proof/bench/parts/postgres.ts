import { tmpdir } from 'node:os'
import { preparePostgres } from '../../../database/postgres.ts'
import { median } from '../../testing/percentile.ts'
import { createDatabase, findPostgres, startPostgres } from '../../testing/postgres.ts'
import { openBaseline } from '../baselines/baseline.ts'
import { compare } from '../rounds.ts'
import type { Row } from '../row.ts'
import { openSubject } from '../subject.ts'

const LOAD = { connections: 64, amount: 2_000 }

/** Compares our server on PostgreSQL with a bare loop of inserts. */
export async function* measure(): AsyncIterable<Row> {
  const programs = findPostgres()
  if (!programs) {
    process.stderr.write(
      'PostgreSQL is not installed (Debian: apt-get install postgresql): its rows are SKIPPED.\n',
    )
    return
  }
  // Use the same disk as for SQLite. By default, the data would be in memory, where an fsync costs
  // nothing.
  await using postgres = await startPostgres(programs, tmpdir())
  const bareUrl = await createDatabase(postgres.urlOf('postgres'), 'bare')
  await (await preparePostgres(bareUrl)).destroy()
  await using bare = await openBaseline('bare-pg-inserts.ts', { url: bareUrl })
  await using ours = await openSubject({ env: { DATABASE_URL: postgres.urlOf('postgres') } })
  const waits: number[] = []
  const post = async () => {
    const { rate, p99 } = await ours.post(LOAD)
    waits.push(p99)
    return rate
  }
  const row = {
    figure: 'PostgreSQL, durable POST, 64 connections',
    unit: '/s',
    baseline: 'bare pg, two inserts and a commit, as many database connections',
    target: { atLeast: 0.2 },
  }
  yield await compare(row, post, async () => (await bare.ask(LOAD)).rate)
  yield {
    figure: 'PostgreSQL, p99 of POST, 64 connections',
    unit: 'ms',
    ours: median(waits),
    // Visitors would notice a longer wait.
    target: { atMost: 1_000 },
  }
}
