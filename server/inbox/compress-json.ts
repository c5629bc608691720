import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { RequestHandler } from 'express'
import { accepts } from '../http/prepared-response.ts'

// A smaller response fits into one packet even if it is not compressed.
const MIN_BYTES = 1_400
// Brotli's window is 2^16 bytes (64 KiB). With the default window, each compression uses several megabytes of memory.
const WINDOW_BITS = 16
const QUALITY = 4

const codings = {
  br: (body: Buffer) =>
    promisify(brotliCompress)(body, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: QUALITY,
        [constants.BROTLI_PARAM_LGWIN]: WINDOW_BITS,
      },
    }),
  gzip: (body: Buffer) => promisify(gzip)(body, { level: QUALITY }),
}

/**
 * Compresses what `response.json` sends, off the main thread. The BREACH attack, which guesses secrets from the size of
 * compressed responses, does not work here: tokens are only in cookies, never in a body, and with SameSite=Strict, no
 * other website can send requests on the owner's behalf.
 */
export const compressJson: RequestHandler = (request, response, next) => {
  const sendPlain = response.json.bind(response)
  const accepted = request.headers['accept-encoding'] ?? ''
  const coding = (['br', 'gzip'] as const).find((name) => accepts(accepted, name))
  response.json = (body) => {
    response.vary('Accept-Encoding')
    const plain = Buffer.from(JSON.stringify(body))
    if (!coding || plain.length < MIN_BYTES) return sendPlain(body)
    codings[coding](plain).then((compressed) => {
      response.set('Content-Encoding', coding).type('json').send(compressed)
    }, next)
    return response
  }
  next()
}
