import { installFor, missing } from '../../testing/needs.ts'
import { openRelay } from '../../testing/relay.ts'
import { newDataDir } from '../../testing/start-program.ts'
import { openBaseline } from '../baselines/baseline.ts'
import { costOf, countSyncs } from '../process-cost.ts'
import type { Row } from '../row.ts'
import { openSubject } from '../subject.ts'

const LOADS = [
  { name: '64 connections', load: { connections: 64, amount: 4_000 } },
  { name: '1 connection', load: { connections: 1, amount: 1_000 } },
]
const WARM_UP = { connections: 64, amount: 4_000 }

/** Measures what storing one lead costs the machine, compared with only two inserts. Its email waits. */
export async function* measure(): AsyncIterable<Row> {
  installFor(['strace'])
  const hasStrace = missing(['strace']).length === 0
  if (!hasStrace) process.stderr.write('strace is missing: the rows of the fsyncs are SKIPPED.\n')
  await using relay = await openRelay()
  relay.misbehave('connect', () => undefined)
  using dataDir = newDataDir()
  await using bare = await openBaseline('bare-inserts', { dataDir: dataDir.path })
  await using ours = await openSubject({ SMTP_URL: relay.url })
  await ours.post(WARM_UP)
  await bare.ask({ amount: WARM_UP.amount })

  for (const { name, load } of LOADS) {
    const { amount } = load
    const our = await costOf(ours.pid, () => ours.post(load))
    const their = await costOf(bare.pid, () => bare.ask({ amount }))
    const row = (figure: string, unit: string, our: number, their: number): Row => ({
      figure: `${figure} per lead, ${name}`,
      unit,
      ours: our / amount,
      baseline: { name: 'bare better-sqlite3, two inserts', value: their / amount },
    })
    yield row('bytes written', 'kB', our.writtenBytes / 1000, their.writtenBytes / 1000)
    yield row('CPU time', 'ms', our.cpuMs, their.cpuMs)
    if (hasStrace)
      yield row(
        'fsyncs',
        '',
        await countSyncs(ours.pid, () => ours.post(load)),
        await countSyncs(bare.pid, () => bare.ask({ amount })),
      )
  }
}
