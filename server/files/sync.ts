import { closeSync, fsyncSync, openSync } from 'node:fs'
import { open, rename } from 'node:fs/promises'
import { join } from 'node:path'

/** Waits until the content of a file is on disk. */
export function syncFile(path: string) {
  // Windows flushes no handle that was opened for reading only.
  sync(path, 'r+')
}

/** Waits until the names in a folder are on disk. Windows has no such call. */
export function syncFolder(path: string, platform: string = process.platform) {
  if (platform !== 'win32') sync(path, 'r')
}

/** The name of a file until all of it is written. A power cut can leave one behind. */
export const unfinishedName = (name: string): string => `.${name}.part`

/** Writes a file, all or nothing, and waits until it is on disk. Nobody ever sees half of it under its name. */
export async function writeDurably(folder: string, name: string, content: Uint8Array): Promise<void> {
  const unfinished = join(folder, unfinishedName(name))
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
