import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

export type Bytes = string | Buffer

export type RawRequest = {
  bytes: Bytes
  /** Repeated after `bytes` until the server closes the connection. */
  endless?: Bytes
  /** Whether the client ends its sending side of the connection. */
  isHalfClosed?: boolean
  /** How long to wait for the server to close the connection. */
  patienceMs?: number
}

// After a valid request, the program keeps the connection open for 5 s, so one that closes sooner was closed on purpose.
const CLOSED_WITHIN_MS = 3000
const ANSWERED_WITHIN_MS = 1000

/**
 * Sends raw bytes to the server. Returns the statuses of the responses (without any "100 Continue"), whether the server
 * closed the connection, and how long the first response took.
 */
export async function exchangeRaw(port: number, request: RawRequest) {
  const { bytes, endless, isHalfClosed = false, patienceMs = CLOSED_WITHIN_MS } = request
  const startedAt = performance.now()
  const chunks: Buffer[] = []
  let answeredAfterMs = Number.POSITIVE_INFINITY
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true }).on('error', () => {})
  const closed = new Promise<true>((done) => {
    for (const event of ['end', 'close']) socket.once(event, () => done(true))
  })
  const statuses = () =>
    [
      ...Buffer.concat(chunks)
        .toString('latin1')
        .matchAll(/^HTTP\/1\.1 ([2-9]\d\d)/gm),
    ].map(([, status]) => Number(status))
  socket.on('data', (chunk) => {
    chunks.push(chunk)
    if (statuses().length > 0) answeredAfterMs = Math.min(answeredAfterMs, performance.now() - startedAt)
  })

  socket.write(bytes)
  // Wait for the response before ending this side of the connection: Node doesn't respond to a client that ends it earlier.
  if (isHalfClosed)
    void Promise.race([once(socket, 'data'), sleep(ANSWERED_WITHIN_MS)]).then(
      () => socket.end(),
      () => {},
    )
  if (endless) {
    const pour = () => {
      while (socket.writable && socket.write(endless));
    }
    socket.on('drain', pour)
    pour()
  }
  const isClosed = await Promise.race([closed, sleep(patienceMs, false)])
  socket.destroy()
  return { statuses: statuses(), isClosed, answeredAfterMs }
}
