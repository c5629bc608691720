import type { IncomingMessage, ServerResponse } from 'node:http'

// The time for a client that is still sending to read the response. Closing the connection at once would discard it.
const READ_RESPONSE_MS = 1_000

/** Undocumented fields of Node's sockets. If they change, only speed is lost. */
type Internals = {
  _handle?: { readStop(): void; readStart(): number } | null
  parser?: (Record<number, unknown> & { constructor: { kOnBody: number } }) | null
}

const isUnread = ({ headers, complete }: IncomingMessage) =>
  headers['transfer-encoding'] !== undefined && !complete

/**
 * Stops reading a chunked body after the response, and closes the connection. Node would keep reading until the request
 * timeout, with one call per chunk, and a chunk can be a single byte: eight bodies of one-byte chunks made everyone
 * else wait 3 s. A body with a length costs only one call per packet, so Node may read it.
 */
export function leaveUnread(request: IncomingMessage, response: ServerResponse) {
  if (!isUnread(request)) return
  const { socket } = request
  response.setHeader('Connection', 'close')
  // If the listener reads the body, the socket resumes.
  socket.pause()
  // Must run before Node's own listener, which ends the connection.
  response.prependListener('finish', () => {
    if (!isUnread(request)) return
    stopReading(request)
    socket.destroySoon = () => {
      socket.end()
      setTimeout(() => socket.destroy(), READ_RESPONSE_MS)
    }
  })
}

/** Drops the unread chunks of a rejected request, including those already received. */
export function stopReading(request: IncomingMessage) {
  if (!isUnread(request)) return
  const { _handle: handle, parser } = request.socket as Internals
  if (!handle || !parser) return
  // Pausing is not enough: Node resumes the socket when it finishes the request.
  handle.readStop()
  handle.readStart = () => 0
  const { kOnBody } = parser.constructor
  const onBody = parser[kOnBody]
  if (!onBody) return
  parser[kOnBody] = null
  // Must run before Node's own listener, which lets another connection reuse the parser.
  request.socket.prependOnceListener('close', () => {
    parser[kOnBody] = onBody
  })
}
