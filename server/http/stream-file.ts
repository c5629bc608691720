import { pipeline } from 'node:stream/promises'
import type { Response } from 'express'
import type { Logger } from 'pino'
import { FILE_SIZE } from '#shared/inbox/headers.ts'
import { errorFacts } from '../errors/error-facts.ts'
import { cleanFileName } from '../files/clean-file-name.ts'

/** `size`: in bytes, as far as it is known before. */
type FileToStream = { name: string; size: number; bytes: AsyncIterable<Uint8Array> }

/** The pictures that every browser shows, by how they begin. */
const pictures: readonly [type: string, beginning: RegExp][] = [
  ['image/jpeg', /^\xff\xd8\xff/],
  ['image/png', /^\x89PNG\r\n/],
  ['image/gif', /^GIF8[79]a/],
  ['image/webp', /^RIFF[\s\S]{4}WEBP/],
]

/**
 * Sends a file as fast as the client takes it, so that no browser runs or opens it. Its sender has
 * chosen its name and type: only how it begins says whether it's a picture. If it can't be sent
 * whole, the connection is ended, because otherwise it would look whole.
 */
export async function streamFile(response: Response, { name, size, bytes }: FileToStream, log: Logger) {
  const rest = bytes[Symbol.asyncIterator]()
  // If this fails, the response can still say why.
  const { value: first } = await rest.next()
  const beginning = Buffer.from(first?.subarray(0, 12) ?? []).toString('latin1')
  const [type] = pictures.find(([, pattern]) => pattern.test(beginning)) ?? ['application/octet-stream']
  response.attachment(cleanFileName(name)).set({
    'Content-Type': type,
    'Content-Security-Policy': "sandbox; default-src 'none'",
    [FILE_SIZE]: String(Math.round(size)),
  })
  async function* whole() {
    if (first) yield first
    yield* { [Symbol.asyncIterator]: () => rest }
  }
  await pipeline(whole, response).catch((error) =>
    // Most likely, the client has disconnected.
    log.warn({ code: errorFacts(error).code }, 'a file was not sent whole'),
  )
}
