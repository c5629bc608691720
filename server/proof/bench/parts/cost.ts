import { installFor, missing } from '../../testing/needs.ts'
import { openRelay } from '../../testing/relay.ts'
import { newDataDir } from '../../testing/start-program.ts'
import { openBaseline } from '../baselines/baseline.ts'
import { costOf, countSyncs } from '../process-cost.ts'
import type { Row } from '../row.ts'
import { openSubject } from '../subject.ts'

// The limits for bytes and CPU time aren't ratios: the baseline's database has the same indexes and page size as ours, so
// ratios wouldn't show what these cost.
const LOADS = [
  {
    load: { connections: 64, amount: 4_000 },
    limits: { kilobytes: 40, cpuMs: 0.5, syncRatio: 0.2 },
  },
  {
    load: { connections: 1, amount: 1_000 },
    limits: { kilobytes: 110, cpuMs: 0.8, syncRatio: 1.2 },
  },
]
const WARM_UP = { connections: 64, amount: 4_000 }
const BASELINE = 'bare better-sqlite3, two inserts'

/** Measures what storing one lead costs the machine, compared with only two inserts. The lead's email stays queued. */
export async function* measure(): AsyncIterable<Row> {
  installFor(['strace'])
  const hasStrace = missing(['strace']).length === 0
  if (!hasStrace) process.stderr.write('strace is missing: the rows about fsyncs are SKIPPED.\n')
  await using relay = await openRelay()
  relay.misbehave('connect', () => undefined)
  using dataDir = newDataDir()
  await using bare = await openBaseline('bare-inserts', { dataDir: dataDir.path })
  await using ours = await openSubject({ SMTP_URL: relay.url })
  await ours.post(WARM_UP)
  await bare.ask({ amount: WARM_UP.amount })

  for (const { load, limits } of LOADS) {
    const { connections, amount } = load
    const name = `per lead, ${connections === 1 ? '1 connection' : `${connections} connections`}`
    const insert = () => bare.ask({ amount })
    const post = () => ours.post(load)
    const our = await costOf(ours.pid, post)
    const their = await costOf(bare.pid, insert)
    yield {
      figure: `bytes written ${name}`,
      unit: 'kB',
      ours: our.writtenBytes / 1000 / amount,
      target: { atMost: limits.kilobytes },
      note: `with only two inserts, ${Math.round(their.writtenBytes / 1000 / amount)} kB.`,
    }
    yield {
      figure: `CPU time ${name}`,
      unit: 'ms',
      ours: our.cpuMs / amount,
      target: { atMost: limits.cpuMs },
      note: `with only two inserts, ${(their.cpuMs / amount).toFixed(2)} ms.`,
    }
    if (!hasStrace) continue
    yield {
      figure: `fsyncs ${name}`,
      unit: '',
      ours: (await countSyncs(ours.pid, post)) / amount,
      baseline: { name: BASELINE, value: (await countSyncs(bare.pid, insert)) / amount },
      target: { atMost: limits.syncRatio },
    }
  }
}
