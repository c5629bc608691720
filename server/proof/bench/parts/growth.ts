import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { fillDatabase } from '../../testing/fill-database.ts'
import { compare } from '../rounds.ts'
import type { Row } from '../row.ts'
import { memoryOf, openSubject, startRow } from '../subject.ts'

const [FEW, SOME, MANY] = [1_000, 100_000, 1_000_000]
const POSTS = { connections: 8, amount: 500 }
// How much more memory an export of ten times as many leads may use. Up to this factor, the growth
// is only garbage that V8 hasn't collected yet.
const MAX_MEMORY_GROWTH = { atMost: 1.5 }

/** Measures how speed and memory change with the number of stored leads. */
export async function* measure(): AsyncIterable<Row> {
  using few = await fillDatabase(FEW)
  using some = await fillDatabase(SOME)
  using many = await fillDatabase(MANY)
  const lists = {
    figure: 'leads list, 1,000,000 leads',
    unit: 'ms',
    baseline: 'with 1,000 leads',
    target: { atMost: 1.2 },
    rounds: 11,
  }
  yield await compare(
    lists,
    async () => (await runLeads(many.path, ['list'])).ms,
    async () => (await runLeads(few.path, ['list'])).ms,
  )
  for (const args of [['export'], ['export', '--json']])
    yield {
      figure: `leads ${args.join(' ')}, 1,000,000 leads, peak memory`,
      unit: 'MB',
      ours: (await runLeads(many.path, args)).mb,
      baseline: { name: 'with 100,000 leads', value: (await runLeads(some.path, args)).mb },
      target: MAX_MEMORY_GROWTH,
    }
  yield await startRow('start to ready, 1,000,000 leads', many.path)
  await using ours = await openSubject({ data: many, isMailSilent: true })
  await using theirs = await openSubject({ data: few, isMailSilent: true })
  yield await compare(
    { ...lists, figure: 'POST, p50, 1,000,000 leads' },
    async () => (await ours.post(POSTS)).p50,
    async () => (await theirs.post(POSTS)).p50,
  )
}

const program = join(import.meta.dirname, '../../../cli/leads.ts')

/** Runs a `leads` command and discards its output. Returns its duration and peak memory. */
async function runLeads(dataDir: string, args: readonly string[]) {
  const startedAt = performance.now()
  const child = spawn(process.execPath, [program, ...args], {
    env: { DATA_DIR: dataDir },
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const closed = once(child, 'close')
  let mb = 0
  for await (const _ of child.stdout) mb = Math.max(mb, peakMemoryMb(child.pid ?? 0))
  const [status] = await closed
  if (status !== 0) throw new Error(`leads ${args.join(' ')} exited with ${status}`)
  return { ms: performance.now() - startedAt, mb }
}

function peakMemoryMb(pid: number): number {
  try {
    return memoryOf(pid, 'VmHWM')
  } catch {
    // The process has already exited.
    return 0
  }
}
