import { createHash } from 'node:crypto'
import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http'

/** The body in each content coding that we keep. */
export type Bodies = { identity: Buffer; br?: Buffer | undefined; gzip?: Buffer | undefined }
export type PreparedResponse = (request: IncomingMessage, response: ServerResponse) => void

/**
 * Responds from memory, in the best coding that the browser accepts. It writes to Node's response, with headers created
 * once: Express's middleware takes twice as long. Nothing is read from disk, so slow readers use up no file handles, and a
 * new build in the same folder does not affect a running server.
 */
export function prepareResponse(
  bodies: Bodies,
  headers: OutgoingHttpHeaders,
  status = 200,
): PreparedResponse {
  const etag = createHash('sha256').update(bodies.identity).digest('base64url').slice(0, 22)
  const headersOf = (coding: keyof Bodies) => ({
    ...headers,
    ETag: `"${etag}-${coding}"`,
    ...(coding !== 'identity' && { 'Content-Encoding': coding }),
    ...((bodies.br || bodies.gzip) && { Vary: 'Accept-Encoding' }),
  })
  const headersByCoding = { br: headersOf('br'), gzip: headersOf('gzip'), identity: headersOf('identity') }

  return (request, response) => {
    const coding = bestCoding(bodies, request.headers['accept-encoding'])
    if (status === 200 && request.headers['if-none-match']?.includes(headersByCoding[coding].ETag)) {
      response.writeHead(304, headersByCoding[coding]).end()
      return
    }
    const body = bodies[coding] ?? bodies.identity
    response.writeHead(status, { ...headersByCoding[coding], 'Content-Length': body.length })
    response.end(request.method === 'HEAD' ? undefined : body)
  }
}

function bestCoding(bodies: Bodies, acceptEncoding = ''): keyof Bodies {
  if (bodies.br && accepts(acceptEncoding, 'br')) return 'br'
  return bodies.gzip && accepts(acceptEncoding, 'gzip') ? 'gzip' : 'identity'
}

// Not negotiator: it takes 0.8 µs instead of 0.15 µs, for most of our requests.
/** `q=0` means that the browser does not accept the coding (RFC 9110, 12.5.3). */
const accepts = (acceptEncoding: string, coding: string) =>
  acceptEncoding.includes(coding) &&
  new RegExp(`(?:^|,)\\s*${coding}\\s*(?:;\\s*q=(?!0(?:\\.0*)?\\s*(?:,|$))[^,]*)?(?:,|$)`, 'i').test(
    acceptEncoding,
  )
