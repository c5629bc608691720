import { closeSync, fsyncSync, openSync } from 'node:fs'
import { open, rename } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'

/** Flushes a file to disk. */
export function syncFile(path: string) {
  // The file is opened for writing, because Windows can't flush a read-only handle.
  sync(path, 'r+')
}

/** Flushes a folder's list of files to disk. Does nothing on Windows, which can't flush folders. */
export function syncFolder(path: string) {
  if (process.platform !== 'win32') sync(path, 'r')
}

/** Writes a file atomically and flushes it to disk. */
export async function writeDurably(
  folder: string,
  name: string,
  content: Uint8Array | Readable,
): Promise<void> {
  // A power failure can leave it behind.
  const unfinished = join(folder, `.${name}.part`)
  const file = await open(unfinished, 'w')
  try {
    await file.writeFile(content)
    await file.sync()
  } finally {
    await file.close()
  }
  await rename(unfinished, join(folder, name))
  syncFolder(folder)
}

function sync(path: string, flags: 'r' | 'r+') {
  const file = openSync(path, flags)
  try {
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}
