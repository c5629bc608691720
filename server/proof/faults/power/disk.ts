import type { Event } from './read-trace.ts'

type Change = Exclude<Event, { type: 'promise' | 'sync' }>

const SECTOR = 512

/**
 * A disk that keeps what was synced, and of everything else what `survives` says: nothing, or any sector of it.
 * A name that is gone comes back unless something was synced after it went, as with a journalling file system.
 */
export function createDisk() {
  const kept = new Map<string, Buffer>()
  const pending: Change[] = []

  return {
    apply(event: Exclude<Event, { type: 'promise' }>) {
      if (event.type !== 'sync') {
        pending.push(event)
        return
      }
      const isDone = (change: Change) => change.file === event.file || change.type === 'unlink'
      for (const change of pending) if (isDone(change)) perform(kept, change, () => true)
      pending.splice(0, pending.length, ...pending.filter((change) => !isDone(change)))
    },

    /** The files as they are found when the power is back. */
    afterPowerCut(survives: () => boolean): Map<string, Buffer> {
      const files = new Map([...kept].map(([file, bytes]) => [file, Buffer.from(bytes)]))
      for (const change of pending) {
        // A file that was never synced may not even have its name.
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
    after = resized(after, Math.max(after.length, change.at + start + sector.length))
    sector.copy(after, change.at + start)
  }
  files.set(change.file, after)
}

const resized = (bytes: Buffer, size: number) =>
  size <= bytes.length
    ? Buffer.from(bytes.subarray(0, size))
    : Buffer.concat([bytes, Buffer.alloc(size - bytes.length)])
