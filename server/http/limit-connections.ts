import type { RequestListener, Server, ServerResponse } from 'node:http'
import { BlockList, isIP, type Socket } from 'node:net'
import { networkOf } from './client-address.ts'
import { leaveUnread } from './unread-body.ts'

type Options = {
  /**
   * More open connections than this mean an attack: connections of visitors close within seconds, and proxies keep only a few
   * open.
   */
  maxConnections: number
  /** How long a client may take to read a response. Node has no limit for that. */
  responseTimeoutMs: number
  /** The number of trusted proxies, or their addresses. */
  trustProxy: number | string[]
}

type Connection = {
  network: string
  isProxy: boolean
  openResponses: number
  isKeptOpen: boolean
  deadline?: NodeJS.Timeout
}

const connectionOf = new WeakMap<Socket, Connection>()

// Browsers send one request at a time per connection, but one packet can contain 2,000, and Node would respond to them all.
const MAX_OPEN_RESPONSES = 16

/**
 * Limits the connections of a server so that nobody can lock others out. Over the limit, the network with the most
 * connections loses the one that has been idle longest; trusted proxies, which serve many people, lose theirs last.
 * `server.maxConnections` would turn newcomers away instead, so a thousand silent clients could block the site.
 * Connections are reset, not ended: otherwise, the kernel would keep unsent data in memory for slow readers. Returns a
 * wrapper for the request listener that limits how many responses a connection may leave unread, and for how long.
 */
export function limitConnections(server: Server, { maxConnections, responseTimeoutMs, trustProxy }: Options) {
  // The longest idle connection comes first: a map keeps insertion order, and each response moves its connection to the end.
  const connections = new Map<Socket, Connection>()
  const countByNetwork = new Map<string, number>()
  const isProxy = proxyCheck(trustProxy)
  const count = (network: string, change: number) => {
    const left = (countByNetwork.get(network) ?? 0) + change
    if (left > 0) countByNetwork.set(network, left)
    else countByNetwork.delete(network)
  }

  const forget = (socket: Socket) => {
    const network = connections.get(socket)?.network
    if (connections.delete(socket) && network !== undefined) count(network, -1)
  }

  server.on('connection', (socket) => {
    const address = socket.remoteAddress ?? ''
    const connection: Connection = {
      network: networkOf(address),
      isProxy: isProxy(address),
      openResponses: 0,
      isKeptOpen: false,
    }
    connections.set(socket, connection)
    connectionOf.set(socket, connection)
    count(connection.network, 1)
    socket.on('close', () => {
      clearTimeout(connection.deadline)
      forget(socket)
    })
    if (connections.size > maxConnections) {
      const longestIdle = findLongestIdle(connections, countByNetwork)
      if (!longestIdle) return
      // The `close` event comes at the end of this turn, after other new connections, which must close other ones.
      forget(longestIdle)
      reset(longestIdle)
    }
  })

  return (listener: RequestListener): RequestListener =>
    (request, response) => {
      const { socket } = request
      const connection = connections.get(socket)
      // After a connection is closed, Node's parser still emits the other requests of the last packet. They are ignored.
      if (!connection || socket.destroyed) return
      if (connection.openResponses === MAX_OPEN_RESPONSES) {
        stopParsing(socket)
        reset(socket)
        return
      }
      const expire = () => !connection.isKeptOpen && reset(socket)
      if (connection.openResponses++ === 0) connection.deadline = setTimeout(expire, responseTimeoutMs)
      response.on('close', () => {
        if (--connection.openResponses === 0) clearTimeout(connection.deadline)
        else connection.deadline?.refresh()
        if (connections.delete(socket)) connections.set(socket, connection)
      })
      leaveUnread(request, response)
      listener(request, response)
    }
}

/**
 * For responses that never end: no deadline applies, and the connection stays open even over the limit. The caller must keep
 * the number of such responses far below `maxConnections`.
 */
export function keepOpen(response: ServerResponse) {
  const connection = response.socket ? connectionOf.get(response.socket) : undefined
  if (!connection) return
  connection.isKeptOpen = true
  response.prependOnceListener('close', () => {
    connection.isKeptOpen = false
  })
}

/** Resets a connection. If it is already ending, destroys it instead: resetting would fail and leave it open forever. */
const reset = (socket: Socket) => (socket.writableEnded ? socket.destroy() : socket.resetAndDestroy())

/**
 * Makes Node ignore the remaining requests of a packet. Otherwise, Node creates and aborts each of them, which takes 2.5 s
 * instead of 0.2 s for 40 packets. Returning 2 tells Node's HTTP parser that no more HTTP follows. This is undocumented, but
 * if it stops working, we only lose time.
 */
function stopParsing(socket: Socket) {
  const { parser } = socket as { parser?: { onIncoming: () => number } }
  if (parser) parser.onIncoming = () => 2
}

/** Finds the connection that has been idle longest in the network with the most connections. */
function findLongestIdle(connections: Map<Socket, Connection>, countByNetwork: Map<string, number>) {
  let most = -1
  let found: Socket | undefined
  for (const [socket, { network, isProxy, isKeptOpen }] of connections) {
    if (isKeptOpen) continue
    const count = isProxy ? 0 : (countByNetwork.get(network) ?? 0)
    if (count <= most) continue
    most = count
    found = socket
  }
  return found
}

// Loopback, private, link-local and carrier-grade NAT addresses (RFC 1918, 3927, 4193, 4291 and 6598).
const privateNetworks = [
  ...['127.0.0.0/8', '10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '169.254.0.0/16', '100.64.0.0/10'],
  ...['::1/128', 'fc00::/7', 'fe80::/10'],
]

/** Returns a check for trusted proxies. If only their number is known, every address in `privateNetworks` is trusted. */
export function proxyCheck(trustProxy: number | string[]): (address: string) => boolean {
  if (trustProxy === 0) return () => false
  const proxies = new BlockList()
  for (const entry of typeof trustProxy === 'number' ? privateNetworks : trustProxy) {
    const [address = '', bits] = entry.split('/')
    const family = familyOf(address)
    if (bits === undefined) proxies.addAddress(address, family)
    else proxies.addSubnet(address, Number(bits), family)
  }
  return (address) => isIP(address) > 0 && proxies.check(address, familyOf(address))
}

const familyOf = (address: string) => (isIP(address) === 6 ? 'ipv6' : 'ipv4')
