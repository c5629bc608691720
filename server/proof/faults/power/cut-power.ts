import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { readDatabase } from '../read-database.ts'
import type { TraceEvent } from './read-trace.ts'

type Outcome = { cuts: number; lost: number; broken: number }

/**
 * Simulates a power cut after every acknowledgment and rebuilds the files that a disk would still
 * have. Counts the cuts after which an acknowledged lead is missing (`lost`) or the database is
 * damaged (`broken`).
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
    // Opening a database blocks this process, so first let the other cases, which run in parallel,
    // continue.
    await setImmediate()
    const { integrity, references } = openAfter(disk.afterPowerCut(survives), folder)
    if (integrity !== 'ok') outcome.broken++
    if (acknowledged.some((id) => !references.has(id))) outcome.lost++
  }
  return outcome
}

function openAfter(files: ReadonlyMap<string, Buffer>, folder: string) {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder)
  for (const [name, bytes] of files) writeFileSync(join(folder, name), bytes)
  return readDatabase(join(folder, 'leads.db'))
}

type Change = Exclude<TraceEvent, { type: 'acknowledgment' | 'sync' }>

const SECTOR = 512

/**
 * Models a disk. Synced data survives every power failure. `survives` decides whether an unsynced
 * sector or deletion does. Any later sync makes a deletion permanent, as with a journaling file
 * system.
 */
function createDisk() {
  const kept = new Map<string, Buffer>()
  const pending: Change[] = []

  return {
    apply(event: Exclude<TraceEvent, { type: 'acknowledgment' }>) {
      if (event.type !== 'sync') {
        pending.push(event)
        return
      }
      const isDone = (change: Change) => change.file === event.file || change.type === 'unlink'
      for (const change of pending) if (isDone(change)) perform(kept, change, () => true)
      pending.splice(0, pending.length, ...pending.filter((change) => !isDone(change)))
    },

    /** The files after the power returns. */
    afterPowerCut(survives: () => boolean): Map<string, Buffer> {
      const files = new Map([...kept].map(([file, bytes]) => [file, Buffer.from(bytes)]))
      for (const change of pending) {
        // Skip files that were never synced: not even their names are on disk.
        if (files.has(change.file)) perform(files, change, survives)
      }
      return files
    },
  }
}

function perform(files: Map<string, Buffer>, change: Change, survives: () => boolean) {
  if (change.type === 'unlink') {
    if (survives()) files.delete(change.file)
    return
  }
  const before = files.get(change.file) ?? Buffer.alloc(0)
  if (change.type === 'truncate') {
    if (survives()) files.set(change.file, resized(before, change.size))
    return
  }
  let after = before
  for (let start = 0; start < change.bytes.length; start += SECTOR) {
    if (!survives()) continue
    const sector = change.bytes.subarray(start, start + SECTOR)
    after = resized(after, Math.max(after.length, change.offset + start + sector.length))
    sector.copy(after, change.offset + start)
  }
  files.set(change.file, after)
}

const resized = (bytes: Buffer, size: number) =>
  size <= bytes.length
    ? Buffer.from(bytes.subarray(0, size))
    : Buffer.concat([bytes, Buffer.alloc(size - bytes.length)])
