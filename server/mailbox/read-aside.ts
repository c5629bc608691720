import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { MessageStructureObject } from 'imapflow'
import { type Message, readMessage } from './read-message.ts'

// An ordinary message takes a tenth of a second, and a few megabytes.
const MAX_MS = 10_000
const MAX_MEGABYTES = 32
const UNREADABLE = 'This message cannot be shown here. You find it in your mailbox.'

/**
 * Reads a message in a thread of its own: anybody can send one that takes seconds to read, or more memory than the server has.
 * Of such a message, only the headers are read, so that it isn't missed.
 */
export async function readAside(source: Buffer, structure?: MessageStructureObject): Promise<Message> {
  const worker = new Worker(new URL('read-worker.ts', import.meta.url), {
    workerData: { source, structure },
    resourceLimits: { maxOldGenerationSizeMb: MAX_MEGABYTES, maxYoungGenerationSizeMb: 4 },
  })
  // It may run out of memory while it's being terminated.
  worker.on('error', () => {})
  try {
    const [message] = await once(worker, 'message', { signal: AbortSignal.timeout(MAX_MS) })
    return message
  } catch {
    return { ...(await readMessage(headersOf(source))), written: UNREADABLE }
  } finally {
    await worker.terminate()
  }
}

const MAX_HEADERS = 32_000

/** The headers, without those that say how to read the rest. */
function headersOf(source: Buffer): Buffer {
  const [headers = ''] = source.toString('latin1', 0, MAX_HEADERS).split(/\r?\n\r?\n/)
  return Buffer.from(headers.replace(/^content-.*(?:\n[ \t].*)*/gim, 'x:'), 'latin1')
}
