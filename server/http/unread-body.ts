import type { IncomingMessage, ServerResponse } from 'node:http'

// A client that is still sending gets this much time to read the response. If the server closed the connection at once, the
// response would be lost.
const READ_RESPONSE_MS = 1_000

/** Undocumented fields of Node's sockets. Without them, everything still works, but unread bodies take more CPU time. */
type Internals = {
  _handle?: { readStop(): void; readStart(): number } | null
  parser?: (Record<number, unknown> & { constructor: { kOnBody: number } }) | null
}

const isUnread = ({ headers, complete }: IncomingMessage) =>
  headers['transfer-encoding'] !== undefined && !complete

/**
 * If the response is finished before a chunked body has been read, stops reading the body and closes the connection.
 * Otherwise, Node would keep reading until the request timeout, with a function call for each chunk. A chunk can be a single
 * byte: eight clients that sent such chunks made everyone else wait 3 s. A body with a Content-Length costs only one call
 * per packet, so Node may read it.
 */
export function leaveUnread(request: IncomingMessage, response: ServerResponse) {
  if (!isUnread(request)) return
  const { socket } = request
  response.setHeader('Connection', 'close')
  // If the listener reads the body, the socket resumes.
  socket.pause()
  // This must run before Node's own listener, which ends the connection.
  response.prependListener('finish', () => {
    if (!isUnread(request)) return
    stopReading(request)
    socket.destroySoon = () => {
      socket.end()
      setTimeout(() => socket.destroy(), READ_RESPONSE_MS)
    }
  })
}

/** Drops all chunks of the request's body that nobody has read, including those that have already arrived. */
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
  // This must run before Node's own listener, which lets another connection reuse the parser.
  request.socket.prependOnceListener('close', () => {
    parser[kOnBody] = onBody
  })
}
