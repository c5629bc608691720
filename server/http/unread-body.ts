import type { IncomingMessage, ServerResponse } from 'node:http'

// Time for a client that is still sending to read the response: a reset would discard it.
const READ_RESPONSE_MS = 1_000

/** Undocumented parts of a Node connection. If they change, we only lose the time that this file saves. */
type Internals = {
  _handle?: { readStop(): void; readStart(): number } | null
  parser?: (Record<number, unknown> & { constructor: { kOnBody: number } }) | null
}

const isUnread = ({ headers, complete }: IncomingMessage) =>
  headers['transfer-encoding'] !== undefined && !complete

/**
 * Stops reading a chunked body once nobody wants it. After responding, Node would keep reading until the request timeout,
 * with a call per chunk, and a chunk can be one byte: eight such bodies made everyone else wait 3 s. The connection closes
 * after the response, because the rest of the body would precede the next request. A body with a length costs only one
 * call per packet, so Node may read the rest.
 */
export function leaveUnread(request: IncomingMessage, response: ServerResponse) {
  if (!isUnread(request)) return
  const { socket } = request
  response.setHeader('Connection', 'close')
  // Resumed by reading the body.
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
  // Must run before Node's own listener, which reuses the parser for another connection.
  request.socket.prependOnceListener('close', () => {
    parser[kOnBody] = onBody
  })
}
