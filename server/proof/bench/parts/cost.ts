import type { Row } from '../row.ts'
import { cpuMsOf, openSubject } from '../subject.ts'

const WARM_UP = { connections: 64, amount: 4_000 }
const POSTS = { connections: 1, amount: 900 }

/** Measures the CPU time of storing one lead. The lead's email stays queued. */
export async function* measure(): AsyncIterable<Row> {
  await using ours = await openSubject({ isMailSilent: true })
  await ours.post(WARM_UP)
  const before = cpuMsOf(ours.pid)
  await ours.post(POSTS)
  yield {
    figure: 'CPU time per lead, 1 connection',
    unit: 'ms',
    ours: (cpuMsOf(ours.pid) - before) / POSTS.amount,
    target: { atMost: 0.8 },
  }
}
