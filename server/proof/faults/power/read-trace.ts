import { createReadStream } from 'node:fs'
import { basename } from 'node:path'
import { createInterface } from 'node:readline'

/** The program's file changes and acknowledgments, in order. */
export type Event =
  | { type: 'write'; file: string; at: number; bytes: Buffer }
  | { type: 'truncate'; file: string; size: number }
  | { type: 'sync'; file: string }
  | { type: 'unlink'; file: string }
  /** `name`: the reference of a lead, or the key of an answer. */
  | { type: 'acknowledgment'; name: string }

const DATABASE = /^leads\.db(-wal|-journal)?$/
const HEX = '((?:\\\\x[0-9a-f]{2})*)'
const patterns = {
  write: new RegExp(`pwrite64\\(\\d+<${HEX}>, "${HEX}", \\d+, (\\d+)\\) += \\d+`),
  sync: new RegExp(`fsync\\(\\d+<${HEX}>\\) += 0`),
  truncate: new RegExp(`ftruncate\\(\\d+<${HEX}>, (\\d+)\\) += 0`),
  unlink: new RegExp(`unlink\\("${HEX}"\\) += 0`),
  answer: new RegExp(`write\\(\\d+<[^>]*>, "${HEX}"`),
}

/** Reads strace's log of the one thread that writes the database and the responses. */
export async function readTrace(path: string): Promise<Event[]> {
  const events: Event[] = []
  for await (const line of createInterface(createReadStream(path))) {
    const event = toEvent(line)
    if (event && (event.type === 'acknowledgment' || DATABASE.test(event.file))) events.push(event)
  }
  return events
}

function toEvent(line: string): Event | undefined {
  const match = (name: keyof typeof patterns) => patterns[name].exec(line)
  let found = match('write')
  if (found) return { type: 'write', file: name(found), bytes: bytes(found[2]), at: Number(found[3]) }
  found = match('sync')
  if (found) return { type: 'sync', file: name(found) }
  found = match('truncate')
  if (found) return { type: 'truncate', file: name(found), size: Number(found[2]) }
  found = match('unlink')
  if (found) return { type: 'unlink', file: name(found) }
  const response = bytes(match('answer')?.[1]).toString('latin1')
  const acknowledged =
    response.startsWith('HTTP/1.1 200') && /"(?:reference|key)":"(.*?)"/.exec(response)?.[1]
  return acknowledged ? { type: 'acknowledgment', name: acknowledged } : undefined
}

const bytes = (hex = '') => Buffer.from(hex.replaceAll('\\x', ''), 'hex')
const name = (found: RegExpExecArray) => basename(bytes(found[1]).toString())
