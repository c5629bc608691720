import { once } from 'node:events'
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Env } from '../env.ts'

const SECOND_MS = 1_000

// With Node's defaults, a slow client could keep a connection open for minutes. .github/SECURITY.md
// says what these limits leave to the reverse proxy.
const options = {
  headersTimeout: 10 * SECOND_MS,
  // For uploads: see `allowSlowBody`.
  requestTimeout: 10 * 60 * SECOND_MS,
  keepAliveTimeout: 5 * SECOND_MS,
  connectionsCheckingInterval: SECOND_MS,
  maxHeaderSize: 8 * 1024,
}
const limits = {
  maxHeadersCount: 64,
  maxConnections: 1_000,
  // A single packet can contain thousands of requests, and until the client reads, their responses
  // stay in memory. With 1,000, 20 clients that don't read could hold 210 MB.
  maxRequestsPerSocket: 100,
  // Closes connections on which nothing moves, such as those of clients that don't read their
  // response. Event streams send pings more often.
  timeout: 60 * SECOND_MS,
}
// How long any other body may take.
const BODY_MS = 15 * SECOND_MS
// After `stop` is called, running requests get this long before their connections are closed.
const DRAIN_MS = 2 * SECOND_MS

const bodyTimers = new WeakMap<IncomingMessage, NodeJS.Timeout>()

/** Lets a request take longer than others, because its body is large and its sender known. */
export const allowSlowBody = (request: IncomingMessage): void => clearTimeout(bodyTimers.get(request))

function limitBody(request: IncomingMessage, response: ServerResponse) {
  const timer = setTimeout(() => {
    if (response.headersSent) request.destroy()
    else response.writeHead(408, { Connection: 'close' }).end()
  }, BODY_MS)
  bodyTimers.set(request, timer)
  request.once('close', () => clearTimeout(timer))
}

/**
 * Opens the port. Rejects with `EADDRINUSE` if it is in use. `stop` refuses new connections, and
 * resolves once the running requests have their responses or are cut off.
 */
export async function openPort({ PORT, HOST }: Pick<Env, 'PORT' | 'HOST'>) {
  const server = Object.assign(createServer(options), limits)
  // By default, Node would send a response to each request over the limit.
  server.on('dropRequest', (_request, socket) => socket.destroy())
  server.on('request', (request, response) => {
    const { headers } = request
    if (headers['content-length'] ?? headers['transfer-encoding']) limitBody(request, response)
    // If nobody reads the body, Node would otherwise read it to its end after the response, and a
    // chunk can be a single byte.
    if (headers['transfer-encoding'] !== undefined) response.setHeader('Connection', 'close')
  })
  server.listen({ port: PORT, host: HOST })
  await once(server, 'listening')

  return {
    number: (server.address() as AddressInfo).port,
    serve: (app: RequestListener) => server.on('request', app),
    async stop() {
      const closed = once(server, 'close')
      server.prependListener('request', (_request, response) => response.setHeader('Connection', 'close'))
      server.close()
      // A connection whose last request came before this is idle after its response.
      const timer = setInterval(() => server.closeIdleConnections(), 50)
      await Promise.race([closed, sleep(DRAIN_MS, undefined, { ref: false })])
      clearInterval(timer)
      server.closeAllConnections()
      await closed
    },
  }
}
