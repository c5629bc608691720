import { createHash } from 'node:crypto'
import { closeSync, openSync, readdirSync, readSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { errorFacts } from '../error-facts.ts'
import { syncFolder, unfinishedName } from '../files/sync.ts'

// More than enough for the headers of our emails.
const HEADER_BYTES = 8 * 1024

/**
 * The .eml file name of an email. It comes from the Message-ID, so that another attempt replaces the file. A Message-ID
 * that isn't ours is hashed: it could be a path.
 */
export function emlName(messageId: string): string {
  const [, ours] = /^<([\da-z][\w-]{0,99}(?:\.\w{1,20})?)@/i.exec(messageId) ?? []
  return `${ours ?? createHash('sha256').update(messageId).digest('hex')}.eml`
}

/** The file names of an email: the final one, and the temporary one used while writing. */
export function emlNames(messageId: string): string[] {
  const name = emlName(messageId)
  return [name, unfinishedName(name)]
}

/** The names of all .eml files with the address in To or Reply-To, even if the database doesn't know them. */
export function emlFilesAbout(folder: string, address: string): string[] {
  const about = address.toLowerCase()
  return list(folder).filter(
    (name) => /\.eml(?:\.part)?$/.test(name) && addressesOf(join(folder, name)).includes(about),
  )
}

/** Durably removes files from a folder, and returns how many existed. */
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

/** The addresses in the To and Reply-To headers, in lower case. */
function addressesOf(file: string): string[] {
  const [header = ''] = readStart(file, HEADER_BYTES)
    .toString('latin1')
    .toLowerCase()
    .split(/\r?\n\r?\n/)
  const unfolded = header.replace(/\r?\n[ \t]+/g, ' ')
  return [...unfolded.matchAll(/^(?:to|reply-to):(.*)$/gm)].flatMap(([, value = '']) =>
    value.split(/[\s<>,;"]+/),
  )
}

/** The first bytes of a file; empty if the file was removed or renamed after the folder was listed. */
function readStart(file: string, maxBytes: number): Buffer {
  try {
    const opened = openSync(file, 'r')
    const bytes = Buffer.alloc(maxBytes)
    const length = readSync(opened, bytes, 0, maxBytes, 0)
    closeSync(opened)
    return bytes.subarray(0, length)
  } catch (error) {
    if (isMissing(error)) return Buffer.alloc(0)
    throw error
  }
}

const isMissing = (error: unknown) => errorFacts(error).code === 'ENOENT'
