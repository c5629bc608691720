import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import Sqlite from 'better-sqlite3'
import { createDisk } from './disk.ts'
import type { Event } from './read-trace.ts'

export type Outcome = { cuts: number; lost: number; broken: number }

/**
 * Cuts the power after every acknowledgment, rebuilds the files that a disk would still have, and counts the cuts after
 * which an acknowledged lead is missing or the database is damaged.
 */
export async function cutPower(
  events: readonly Event[],
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
    acknowledged.push(event.reference)
    outcome.cuts++
    // Opening a database blocks: let the cases in other lanes run.
    await setImmediate()
    const { isIntact, references } = openAfter(disk.afterPowerCut(survives), folder)
    if (!isIntact) outcome.broken++
    if (acknowledged.some((reference) => !references.has(reference))) outcome.lost++
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
    const references = db.prepare<[], string>('select reference from leads').pluck().all()
    return { isIntact, references: new Set(references) }
  } catch {
    return { isIntact: false, references: new Set<string>() }
  } finally {
    db.close()
  }
}
