import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Env } from '../env.ts'
import { limitConnections } from './limit-connections.ts'
import { listen } from './listen.ts'

// With Node's defaults, a slow client can keep a connection open for minutes.
const serverLimits = {
  headersTimeout: 10_000,
  requestTimeout: 15_000,
  keepAliveTimeout: 5_000,
  connectionsCheckingInterval: 1_000,
  maxHeaderSize: 8 * 1024,
}
// On the slowest mobile networks, the largest file takes a minute.
const connectionLimits = { maxConnections: 1_000, responseTimeoutMs: 60_000 }
const MAX_HEADERS = 64

/** Opens the port. */
export async function openPort(env: Env) {
  const server = createServer(serverLimits)
  server.maxHeadersCount = MAX_HEADERS
  const withLimits = limitConnections(server, { ...connectionLimits, trustProxy: env.TRUST_PROXY })
  const stop = await listen(server, { port: env.PORT, host: env.HOST })
  return {
    number: (server.address() as AddressInfo).port,
    serve: (app: RequestListener) => server.on('request', withLimits(app)),
    stop,
  }
}
