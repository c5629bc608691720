import { once } from 'node:events'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Response } from 'express'
import type { Logger } from 'pino'
import { errorFacts } from '../errors/error-facts.ts'
import { cleanFileName } from '../files/clean-file-name.ts'

/** The pictures that every browser shows, by how they begin. */
const pictures: readonly [type: string, beginning: RegExp][] = [
  ['image/jpeg', /^\xff\xd8\xff/],
  ['image/png', /^\x89PNG\r\n/],
  ['image/gif', /^GIF8[79]a/],
  ['image/webp', /^RIFF[\s\S]{4}WEBP/],
]

const MAX_MS = 10 * 60 * 1000

/**
 * Sends a file as fast as the client takes it, so that no browser runs or opens it. Its sender has
 * chosen its name and type: only how it begins says whether it's a picture. If it can't be sent
 * whole, the connection is ended, because otherwise it would look whole.
 */
export async function streamFile(
  response: Response,
  { name, bytes }: { name: string; bytes: AsyncIterable<Uint8Array> },
  log: Logger,
): Promise<void> {
  const stream = Readable.from(bytes)
  // If this fails, the response can still say why.
  await once(stream, 'readable')
  const first: Uint8Array | null = stream.read()
  if (first) stream.unshift(first)
  const beginning = Buffer.from(first ?? []).toString('latin1', 0, 12)
  const [type] = pictures.find(([, pattern]) => pattern.test(beginning)) ?? ['application/octet-stream']
  response.attachment(cleanFileName(name)).set({
    'Content-Type': type,
    'Content-Security-Policy': "sandbox; default-src 'none'",
  })
  // A client that reads slowly must not keep others from downloading.
  await pipeline(stream, response, { signal: AbortSignal.timeout(MAX_MS) }).catch((error) =>
    // Most likely, the client has disconnected.
    log.warn({ code: errorFacts(error).code }, 'a file was not sent whole'),
  )
}
