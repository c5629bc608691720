import { cpSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { newDataDir } from '../testing/start-program.ts'
import { expectThat } from './fault-case.ts'
import { isReached, killingAt, type Point, pointsIn, recordingTo, type Tracing } from './kill-at-call.ts'

/** A program that changes files in a folder, and what must be true after a kill at any moment. */
export type Killable<Prepared> = {
  /** Fills an empty folder, once. */
  prepare: (folder: string) => Promise<Prepared>
  /** Runs the program on a copy of that folder. */
  run: (folder: string, tracing: Tracing, prepared: Prepared) => Promise<Ended>
  /** Returns what is wrong afterward. */
  findFaults: (folder: string, prepared: Prepared, ended: Ended) => Promise<string[]>
}
/** `env`: the command's environment. */
type Ended = {
  wasKilled: boolean
  output: string
  env?: Record<string, string>
}

// The timing of threads and timers varies, so some runs never reach the call at which they would be killed.
const MAX_MISSED_SHARE = 0.4
const MAX_IN_A_ROW = 6
// How long to wait for strace's last lines, because it lags slightly behind the program.
const LAST_LINES_MS = 200

/**
 * Runs the program again and again, killing it each time at another call that changes a file in the folder, at most
 * `maxPoints` times. Stops at the first kill after which something is wrong. `onlyAt` limits the kills to calls of this
 * name.
 */
export async function killAtEachCall<Prepared>(
  killable: Killable<Prepared>,
  maxPoints: number,
  { onlyAt }: { onlyAt?: string } = {},
) {
  using template = newDataDir()
  const prepared = await killable.prepare(template.path)
  const recorded = await recordPoints(killable, template.path, prepared)
  const all = recorded.filter(({ call }) => !onlyAt || call === onlyAt)
  const points = spread(all, maxPoints)
  expectThat(points.length > 0, 'the program changed no file')
  let killed = 0
  for (const point of points) {
    using copy = copyOf(template.path)
    using folder = newDataDir()
    const trace = join(folder.path, 'trace')
    const ended = await killable.run(copy.path, killingAt(point, trace), prepared)
    // While the program is stopped at the call, strace may not have written the call's line yet.
    if (ended.wasKilled || isReached(point, trace)) killed++
    const faults = await killable.findFaults(copy.path, prepared, ended)
    if (faults.length > 0) return { seen: '', faults: [`killed at ${point.call} ${point.nth}`, ...faults] }
  }
  const seen = `killed at ${killed} of ${points.length} tested points (${all.length} in total)`
  expectThat(killed >= points.length * (1 - MAX_MISSED_SHARE), `only ${seen}`)
  return { seen, faults: [] }
}

/** Kills the program at up to `maxPoints` calls. Returns a line for the report, and throws a Miss if anything is wrong. */
export async function expectToSurvive<Prepared>(...args: Parameters<typeof killAtEachCall<Prepared>>) {
  const { seen, faults } = await killAtEachCall(...args)
  expectThat(faults.length === 0, faults.join('; '))
  return `${seen}, no faults`
}

async function recordPoints<Prepared>({ run }: Killable<Prepared>, template: string, prepared: Prepared) {
  using copy = copyOf(template)
  using folder = newDataDir()
  const trace = join(folder.path, 'trace')
  await run(copy.path, recordingTo(trace), prepared)
  await sleep(LAST_LINES_MS)
  return thinOut(pointsIn(readFileSync(trace, 'utf8'), copy.path))
}

/** Skips most of a long series of writes to one file: a kill after any of them leaves nearly the same state. */
function thinOut(points: readonly Point[]): Point[] {
  const rows: Point[][] = []
  for (const point of points) {
    const last = rows.at(-1)?.at(-1)
    if (last?.call === 'pwrite64' && point.call === 'pwrite64' && last.file === point.file)
      rows.at(-1)?.push(point)
    else rows.push([point])
  }
  return rows.flatMap((row) => [
    ...new Set([...row.slice(0, 2), ...spread(row, MAX_IN_A_ROW - 3), ...row.slice(-1)]),
  ])
}

/** At most `most` items, evenly spaced. */
function spread<Item>(items: readonly Item[], most: number): Item[] {
  if (items.length <= most) return [...items]
  return Array.from(
    { length: most },
    (_, index) => items[Math.floor(((index + 0.5) * items.length) / most)] as Item,
  )
}

function copyOf(folder: string) {
  const copy = newDataDir()
  cpSync(folder, copy.path, { recursive: true, preserveTimestamps: true })
  return copy
}
