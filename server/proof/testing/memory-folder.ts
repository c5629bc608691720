import { accessSync, constants, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'

const MEMORY = '/dev/shm'
// Too little room would make tests fail: in containers, /dev/shm often has only 64 MB.
const ROOM_BYTES = 1_000_000_000

/**
 * A folder for temporary files: in memory if there is room, because syncing files to a disk is
 * slow.
 */
export function memoryFolder(): string {
  try {
    accessSync(MEMORY, constants.W_OK)
    const { bavail, bsize } = statfsSync(MEMORY)
    return bavail * bsize >= ROOM_BYTES ? MEMORY : tmpdir()
  } catch {
    return tmpdir()
  }
}
