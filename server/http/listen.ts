import { once } from 'node:events'
import type { Server } from 'node:http'
import { type AddressInfo, createServer, type ListenOptions } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

// Node accepts one connection per listening socket in each turn of the event loop. With eight sockets on the same port,
// 64 visitors who arrive together connect in about eight turns.
const SOCKETS = 8
// After `stop` is called, running requests get this long before their connections are closed.
const DRAIN_MS = 2_000

/**
 * Opens a port. Rejects with `EADDRINUSE` if it is in use, unless its other server is starting in the same millisecond. The
 * returned function, `stop`, rejects new connections and resolves once the running requests are finished; it does not wait
 * for idle connections.
 */
export async function listen(server: Server, address: { port: number; host: string | undefined }) {
  const reusePort = await canReusePort(address.host)
  // A port opened with `reusePort` can be opened again, even by another server. Therefore, check first that it is free.
  if (reusePort) await openAndClose(address)

  server.listen({ ...address, reusePort })
  await once(server, 'listening')
  // With an address instead of a name, these sockets are open before the server can handle its first connection.
  const opened = server.address() as AddressInfo
  const shared = { host: opened.address, port: opened.port, reusePort: true }
  // The same options as those of node:http.
  const options = { allowHalfOpen: true, noDelay: true }
  const others = Array.from({ length: reusePort ? SOCKETS - 1 : 0 }, () =>
    createServer(options, (socket) => server.emit('connection', socket)).listen(shared),
  )
  await Promise.all(others.map((other) => once(other, 'listening')))

  return async function stop() {
    const closed = Promise.all([server, ...others].map((each) => once(each, 'close')))
    server.prependListener('request', (_request, response) => response.setHeader('Connection', 'close'))
    for (const each of [...others, server]) each.close()
    server.closeIdleConnections()
    await Promise.race([closed, sleep(DRAIN_MS, undefined, { ref: false })])
    server.closeAllConnections()
    await closed
  }
}

/** Whether this system shares new connections between several sockets on the same port. WSL 1 and macOS, for example, don't. */
const canReusePort = (host: string | undefined): Promise<boolean> =>
  openAndClose({ host, port: 0, reusePort: true }).then(
    () => true,
    () => false,
  )

async function openAndClose(address: ListenOptions) {
  const probe = createServer().listen(address)
  await once(probe, 'listening')
  probe.close()
  await once(probe, 'close')
}
