import type { IncomingMessage, ServerResponse } from 'node:http'

// Time to fetch the answer, for a client that is still sending: with a reset, it would be lost.
const FETCH_ANSWER_MS = 1_000

/** What Node has inside a connection. Undocumented: without it, the time is lost that this file saves, and no more. */
type Inside = {
  _handle?: { readStop(): void; readStart(): number } | null
  parser?: (Record<number, unknown> & { constructor: { kOnBody: number } }) | null
}

const isUnread = ({ headers, complete }: IncomingMessage) =>
  headers['transfer-encoding'] !== undefined && !complete

/**
 * Reads a body in chunks only while somebody wants it. Node would read on behind its answer for as long as a request may
 * take, with a call for each chunk, and a chunk can be one byte: eight such bodies made everybody else wait for 3 s. The
 * connection ends with the answer, for the next request would stand behind what is left. A body with a length costs one
 * call a packet, so Node may read the rest of it.
 */
export function leaveUnread(request: IncomingMessage, response: ServerResponse) {
  if (!isUnread(request)) return
  const { socket } = request
  response.setHeader('Connection', 'close')
  // Until the body is asked for.
  socket.pause()
  // Before Node's own listener, which ends the connection.
  response.prependListener('finish', () => {
    if (!isUnread(request)) return
    stopReading(request)
    socket.destroySoon = () => {
      socket.end()
      setTimeout(() => socket.destroy(), FETCH_ANSWER_MS)
    }
  })
}

/** For a request that is refused: what is left of its chunks costs nobody's time, not even those already here. */
export function stopReading(request: IncomingMessage) {
  if (!isUnread(request)) return
  const { _handle: handle, parser } = request.socket as Inside
  if (!handle || !parser) return
  // A socket that is only paused is resumed by whatever is left of its request.
  handle.readStop()
  handle.readStart = () => 0
  const { kOnBody } = parser.constructor
  const onBody = parser[kOnBody]
  if (!onBody) return
  parser[kOnBody] = null
  // Before Node's own listener, which hands the parser on to another connection.
  request.socket.prependOnceListener('close', () => {
    parser[kOnBody] = onBody
  })
}
