import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { RequestHandler } from 'express'

// A smaller response fits into one packet even if it is not compressed.
const MIN_BYTES = 1_400
const LEVEL = 4

/**
 * Compresses what `response.json` sends, off the main thread. The BREACH attack, which guesses secrets from the size of
 * compressed responses, does not work here: tokens are only in cookies, never in a body, and with SameSite=Strict, no
 * other website can send requests on the owner's behalf.
 */
export const compressJson: RequestHandler = (request, response, next) => {
  const sendPlain = response.json.bind(response)
  response.json = (body) => {
    response.vary('Accept-Encoding')
    const plain = Buffer.from(JSON.stringify(body))
    if (plain.length < MIN_BYTES || request.acceptsEncodings('gzip') !== 'gzip') return sendPlain(body)
    promisify(gzip)(plain, { level: LEVEL }).then((compressed) => {
      response.set('Content-Encoding', 'gzip').type('json').send(compressed)
    }, next)
    return response
  }
  next()
}
