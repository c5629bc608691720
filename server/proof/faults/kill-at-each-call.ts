import { cpSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { newDataDir } from '../testing/start-program.ts'
import { expectThat } from './fault-case.ts'
import { killingAt, type Point, pointsIn, recordingTo, type Tracing } from './kill-at-call.ts'

/** Something that changes files in a folder, and what must hold whenever it was killed. */
export type Killable<Prepared> = {
  /** Fills an empty folder, once. */
  prepare: (folder: string) => Promise<Prepared>
  /** Runs it on a copy of that folder. */
  run: (folder: string, tracing: Tracing, prepared: Prepared) => Promise<Ended>
  /** What is wrong afterwards; nothing when all is well. */
  findFaults: (folder: string, prepared: Prepared, ended: Ended) => Promise<string[]>
}
/** `acknowledged`: the leads that a server beside it has answered 200. `env`: what it was run with. */
export type Ended = {
  wasKilled: boolean
  output: string
  acknowledged?: string[]
  env?: Record<string, string>
}
export type Kills = Awaited<ReturnType<typeof killAtEachCall>>

// Some points fall elsewhere the second time: threads do not take turns, and what happens every minute comes later.
const MOST_MISSED_SHARE = 0.4
const SHOWN = 3
const MOST_IN_A_ROW = 6
// strace writes line by line, and is a moment behind.
const LAST_LINES_MS = 200

/**
 * Kills it at each call that changes a file below the folder, or at so many of them, and counts what is wrong after.
 * `onlyAt`: only at calls of this name. `mayMiss`: where a server beside it can refuse it, it may end before the call.
 */
export async function killAtEachCall<Prepared>(
  killable: Killable<Prepared>,
  mostPoints: number,
  { onlyAt, mayMiss = false }: { onlyAt?: string; mayMiss?: boolean } = {},
) {
  using template = newDataDir()
  const prepared = await killable.prepare(template.path)
  const recorded = await recordPoints(killable, template.path, prepared)
  const all = recorded.filter(({ call }) => !onlyAt || call === onlyAt)
  const points = spread(all, mostPoints)
  const faults: string[] = []
  let killed = 0
  for (const point of points) {
    using copy = copyOf(template.path)
    using folder = newDataDir()
    const ended = await killable.run(copy.path, killingAt(point, join(folder.path, 'trace')), prepared)
    if (ended.wasKilled) killed++
    const found = await killable.findFaults(copy.path, prepared, ended)
    if (found.length > 0) faults.push(`${point.call} ${point.nth}: ${found.join(', ')}`)
  }
  expectThat(points.length > 0, 'it changes no file')
  expectThat(
    mayMiss || killed >= points.length * (1 - MOST_MISSED_SHARE),
    `killed at ${killed} of ${points.length} only`,
  )
  return { killed, of: all.length, faults }
}

/** The same as one line of a report. */
export function describeKills({ killed, of, faults }: Kills): string {
  const shown = faults.slice(0, SHOWN).join('; ')
  return `killed at ${killed} of ${of} points, ${faults.length} with faults${shown && `: ${shown}`}`
}

async function recordPoints<Prepared>({ run }: Killable<Prepared>, template: string, prepared: Prepared) {
  using copy = copyOf(template)
  using folder = newDataDir()
  const trace = join(folder.path, 'trace')
  await run(copy.path, recordingTo(trace), prepared)
  await sleep(LAST_LINES_MS)
  return thinned(pointsIn(readFileSync(trace, 'utf8'), copy.path))
}

/** Of many writes in a row to one file, only some: a kill between two of them leaves what the others leave, less a page. */
function thinned(points: readonly Point[]): Point[] {
  const rows: Point[][] = []
  for (const point of points) {
    const last = rows.at(-1)?.at(-1)
    if (last?.call === 'pwrite64' && point.call === 'pwrite64' && last.file === point.file)
      rows.at(-1)?.push(point)
    else rows.push([point])
  }
  return rows.flatMap((row) => [
    ...new Set([...row.slice(0, 2), ...spread(row, MOST_IN_A_ROW - 3), ...row.slice(-1)]),
  ])
}

/** At most so many of them, evenly from among all. */
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
