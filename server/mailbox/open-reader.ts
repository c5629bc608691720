import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { MessageStructureObject } from 'imapflow'
import { type Message, readMessage, UNREADABLE } from './read-message.ts'

// An ordinary message takes milliseconds, and a few megabytes.
const MAX_MS = 10_000
const MAX_MEGABYTES = 32
const MAX_HEADERS = 32_000

export type Reader = ReturnType<typeof openReader>

/**
 * Opens a reader for messages, in a thread of its own: anybody can send one that takes seconds to read, or more memory than the
 * server has. Of such a message, only the headers are read, so that it isn't missed.
 */
export function openReader() {
  let worker: Worker | undefined

  async function close() {
    await worker?.terminate()
    worker = undefined
  }

  async function read(source: Buffer, structure?: MessageStructureObject): Promise<Message> {
    worker ??= start()
    const answer = once(worker, 'message', { signal: AbortSignal.timeout(MAX_MS) })
    worker.postMessage({ source, structure })
    try {
      const [message] = await answer
      return message
    } catch {
      await close()
      const [headers = ''] = source.toString('latin1', 0, MAX_HEADERS).split('\r\n\r\n')
      return { ...(await readMessage(Buffer.from(headers, 'latin1'))), written: UNREADABLE }
    }
  }

  return { read, [Symbol.asyncDispose]: close }
}

function start(): Worker {
  const worker = new Worker(new URL('read-worker.ts', import.meta.url), {
    resourceLimits: { maxOldGenerationSizeMb: MAX_MEGABYTES, maxYoungGenerationSizeMb: 4 },
  })
  // It may also run out of memory while it's being terminated.
  return worker.on('error', () => {})
}
