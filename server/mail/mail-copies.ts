import { createHash } from 'node:crypto'
import { closeSync, openSync, readdirSync, readSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { syncFolder, unfinishedName } from '../files/sync.ts'

// The header of a mail of ours: eight fields, none longer than an address or a subject.
const HEADER_BYTES = 8 * 1024

/**
 * The file of a mail, named after it, so that a repeated attempt replaces its file. By its hash where the database holds
 * another Message-ID than ours: that may be a path.
 */
export function copyName(messageId: string): string {
  const [, ours] = /^<([\da-z][\w-]{0,99}(?:\.\w{1,20})?)@/i.exec(messageId) ?? []
  return `${ours ?? createHash('sha256').update(messageId).digest('hex')}.eml`
}

/** The names that the file of a mail can have: whole, and while it is written. */
export function namesOfCopy(messageId: string): string[] {
  const name = copyName(messageId)
  return [name, unfinishedName(name)]
}

/** The names of the files whose mail goes to the address or answers go to it, known to the database or not. */
export function copiesAbout(folder: string, address: string): string[] {
  const about = address.toLowerCase()
  return list(folder).filter(
    (name) => /\.eml(?:\.part)?$/.test(name) && addressesOf(join(folder, name)).includes(about),
  )
}

/** Removes files of the folder, for good even if the power fails, and returns how many were there. */
export function removeFiles(folder: string, names: readonly string[]): number {
  let removed = 0
  for (const name of names)
    try {
      rmSync(join(folder, name))
      removed++
    } catch (error) {
      if (!isMissing(error)) throw error
    }
  if (removed > 0) syncFolder(folder)
  return removed
}

function list(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch (error) {
    if (isMissing(error)) return []
    throw error
  }
}

/** The addresses, in lower case, that a mail's header names as recipient or where to reply; none if it is gone. */
function addressesOf(file: string): string[] {
  const [header = ''] = beginningOf(file, HEADER_BYTES)
    .toString('latin1')
    .toLowerCase()
    .split(/\r?\n\r?\n/)
  const unfolded = header.replace(/\r?\n[ \t]+/g, ' ')
  return [...unfolded.matchAll(/^(?:to|reply-to):(.*)$/gm)].flatMap(([, value = '']) =>
    value.split(/[\s<>,;"]+/),
  )
}

/** The first bytes of a file. Empty where it was removed, or got its final name, since the folder was listed. */
function beginningOf(file: string, bytesAtMost: number): Buffer {
  try {
    const opened = openSync(file, 'r')
    const bytes = Buffer.alloc(bytesAtMost)
    const length = readSync(opened, bytes, 0, bytesAtMost, 0)
    closeSync(opened)
    return bytes.subarray(0, length)
  } catch (error) {
    if (isMissing(error)) return Buffer.alloc(0)
    throw error
  }
}

const isMissing = (error: unknown) => (error as NodeJS.ErrnoException).code === 'ENOENT'
