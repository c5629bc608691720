import { statSync } from 'node:fs'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { newDataDir } from '../../testing/start-program.ts'
import type { Row } from '../row.ts'
import { cpuMsOf, openSubject } from '../subject.ts'

const WARM_UP = { connections: 64, amount: 4_000 }
const POSTS = { connections: 1, amount: 900 }
// Each page in the write-ahead log has a header.
const LOGGED_PAGE_BYTES = 4096 + 24

/** Measures what storing one lead costs. The lead's email stays queued. */
export async function* measure(): AsyncIterable<Row> {
  using data = newDataDir()
  await using ours = await openSubject({ data, isMailSilent: true })
  await ours.post(WARM_UP)
  const before = cpuMsOf(ours.pid)
  await ours.post(POSTS)
  yield {
    figure: 'CPU time per lead, 1 connection',
    unit: 'ms',
    ours: (cpuMsOf(ours.pid) - before) / POSTS.amount,
    target: { atMost: 0.8 },
  }
  yield {
    figure: 'pages written for a lead, 1 connection',
    unit: 'pages',
    ours: (await countPages(data.path, () => ours.post(POSTS))) / POSTS.amount,
    target: { atMost: 14 },
  }
}

/** Counts the pages that `work` adds to the write-ahead log. */
async function countPages(dataDir: string, work: () => Promise<unknown>): Promise<number> {
  const reader = new Sqlite(join(dataDir, 'leads.db'), { timeout: 10_000 })
  // A long queue would add pages.
  reader.exec("update outbox set state = 'sent'")
  // Until this ends, the log only grows.
  reader.exec('begin; select count(*) from settings')
  const logged = () => statSync(join(dataDir, 'leads.db-wal')).size
  const before = logged()
  await work()
  const bytes = logged() - before
  reader.close()
  return bytes / LOGGED_PAGE_BYTES
}
