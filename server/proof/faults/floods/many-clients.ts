import { EventEmitter } from 'node:events'
import type { Request, Response } from 'express'
import { createClientHash } from '../../../http/client-address.ts'
import { floodLimit } from '../../../http/flood-limit.ts'

// Run this as `node --expose-gc many-clients.ts CLIENTS`. It prints the flood limit's memory use for that many clients.
const clients = Number(process.argv[2])

const limit = floodLimit({
  limit: Number.MAX_SAFE_INTEGER,
  windowSeconds: 600,
  clientOf: createClientHash('a key'),
  createError: () => new Error('refused'),
})
const answered = Object.assign(new EventEmitter(), { statusCode: 400, locals: {} })

async function pass(ip: string) {
  answered.removeAllListeners()
  const { promise, resolve } = Promise.withResolvers<unknown>()
  limit({ ip, headers: {} } as Request, answered as unknown as Response, resolve)
  const error = await promise
  if (error) throw error
}

/** In MB: `kept` is the size of V8's heap and buffers, and `resident` is what the operating system has allocated. */
function memory() {
  gc?.()
  const { heapUsed, external, rss } = process.memoryUsage()
  return { kept: (heapUsed + external) / 1e6, resident: rss / 1e6 }
}

// Warm up with the same number of requests from a single client, so that only the memory for additional clients is measured.
for (let count = 0; count < clients; count++) await pass('192.0.2.1')
const before = memory()
for (let client = 0; client < clients; client++)
  await pass(`10.${client >> 16}.${(client >> 8) & 255}.${client & 255}`)
const after = memory()
process.stdout.write(
  JSON.stringify({ kept: after.kept - before.kept, resident: after.resident - before.resident }),
)
