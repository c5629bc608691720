import { createReadStream } from 'node:fs'
import { basename } from 'node:path'
import { createInterface } from 'node:readline'

/** A file change or an acknowledgment by the program. */
export type TraceEvent =
  | { type: 'write'; file: string; offset: number; bytes: Buffer }
  | { type: 'truncate'; file: string; size: number }
  | { type: 'sync'; file: string }
  | { type: 'unlink'; file: string }
  /** `id`: the reference of a lead. */
  | { type: 'acknowledgment'; id: string }

const DATABASE = /^leads\.db(-wal|-journal)?$/
const HEX = '((?:\\\\x[0-9a-f]{2})*)'
const patterns = {
  write: new RegExp(`pwrite64\\(\\d+<${HEX}>, "${HEX}", \\d+, (\\d+)\\) += \\d+`),
  sync: new RegExp(`fsync\\(\\d+<${HEX}>\\) += 0`),
  truncate: new RegExp(`ftruncate\\(\\d+<${HEX}>, (\\d+)\\) += 0`),
  unlink: new RegExp(`unlink\\("${HEX}"\\) += 0`),
  response: new RegExp(`write\\(\\d+<[^>]*>, "${HEX}"`),
}

/** Reads strace's log of the one thread that writes the database and the responses. */
export async function readTrace(path: string): Promise<TraceEvent[]> {
  const events: TraceEvent[] = []
  for await (const line of createInterface(createReadStream(path))) {
    const event = toEvent(line)
    if (event && (event.type === 'acknowledgment' || DATABASE.test(event.file))) events.push(event)
  }
  return events
}

function toEvent(line: string): TraceEvent | undefined {
  const match = (call: keyof typeof patterns) => patterns[call].exec(line)
  const [write, truncate] = [match('write'), match('truncate')]
  if (write) return { type: 'write', file: fileName(write), bytes: bytes(write[2]), offset: Number(write[3]) }
  if (truncate) return { type: 'truncate', file: fileName(truncate), size: Number(truncate[2]) }
  for (const type of ['sync', 'unlink'] as const) {
    const found = match(type)
    if (found) return { type, file: fileName(found) }
  }
  const response = bytes(match('response')?.[1]).toString('latin1')
  const acknowledged = response.startsWith('HTTP/1.1 200') && /"reference":"(.*?)"/.exec(response)?.[1]
  return acknowledged ? { type: 'acknowledgment', id: acknowledged } : undefined
}

const bytes = (hex = '') => Buffer.from(hex.replaceAll('\\x', ''), 'hex')
const fileName = (found: RegExpExecArray) => basename(bytes(found[1]).toString())
