import type { Server } from 'node:http'
import type { Socket } from 'node:net'

type Options = {
  /** More than this is an attack: visitors leave after one request, and a proxy keeps few connections open. */
  maxConnections: number
  /** How long a client may take to receive one answer; Node itself sets no bound to that. */
  answerTimeoutMs: number
}

/**
 * Bounds the connections of a server so that slow clients cannot shut others out: for each newcomer beyond the bound,
 * the connection goes that has waited longest since it came or was last answered. `server.maxConnections` would turn
 * the newcomer away instead, and then a thousand clients that say nothing are all it takes. A reset rather than an end:
 * otherwise the kernel would go on keeping what a slow reader has not fetched.
 */
export function holdConnections(server: Server, { maxConnections, answerTimeoutMs }: Options) {
  // In the order of their last answer: a set keeps the order of insertion.
  const held = new Set<Socket>()

  server.on('connection', (socket) => {
    held.add(socket)
    socket.on('close', () => held.delete(socket))
    const [longestWaiting] = held
    if (held.size > maxConnections) longestWaiting?.resetAndDestroy()
  })
  server.on('request', ({ socket }, response) => {
    const deadline = setTimeout(() => socket.resetAndDestroy(), answerTimeoutMs)
    response.on('close', () => {
      clearTimeout(deadline)
      if (held.delete(socket)) held.add(socket)
    })
  })
}
