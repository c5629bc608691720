import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import Sqlite from 'better-sqlite3'
import { createDisk } from './disk.ts'
import type { TraceEvent } from './read-trace.ts'

export type Outcome = { cuts: number; lost: number; broken: number }

/**
 * Simulates a power cut after every acknowledgment and rebuilds the files that a disk would still have. Counts the cuts
 * after which an acknowledged lead is missing (`lost`) or the database is damaged (`broken`).
 */
export async function cutPower(
  events: readonly TraceEvent[],
  folder: string,
  survives: () => boolean,
): Promise<Outcome> {
  const disk = createDisk()
  const acknowledged: string[] = []
  const outcome: Outcome = { cuts: 0, lost: 0, broken: 0 }
  for (const event of events) {
    if (event.type !== 'acknowledgment') {
      disk.apply(event)
      continue
    }
    acknowledged.push(event.id)
    outcome.cuts++
    // Opening a database blocks this process, so first let the other cases, which run in parallel, continue.
    await setImmediate()
    const { isIntact, ids } = openAfter(disk.afterPowerCut(survives), folder)
    if (!isIntact) outcome.broken++
    if (acknowledged.some((id) => !ids.has(id))) outcome.lost++
  }
  return outcome
}

function openAfter(files: ReadonlyMap<string, Buffer>, folder: string) {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder)
  for (const [name, bytes] of files) writeFileSync(join(folder, name), bytes)
  const db = new Sqlite(join(folder, 'leads.db'))
  try {
    const isIntact = db.pragma('integrity_check', { simple: true }) === 'ok'
    const ids = db.prepare<[], string>('select reference from leads').pluck().all()
    return { isIntact, ids: new Set(ids) }
  } catch {
    return { isIntact: false, ids: new Set<string>() }
  } finally {
    db.close()
  }
}
