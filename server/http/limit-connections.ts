import type { RequestListener, Server, ServerResponse } from 'node:http'
import { BlockList, isIP, type Socket } from 'node:net'
import { networkOf } from './client-address.ts'
import { leaveUnread } from './unread-body.ts'

type Options = {
  /** More than this is an attack: visitors leave after one request, and proxies keep few connections open. */
  maxConnections: number
  /** How long a client may take to receive a response; Node has no limit for that. */
  responseTimeoutMs: number
  /** The number of proxies in front, or their addresses. */
  trustProxy: number | string[]
}

type Held = {
  network: string
  isProxy: boolean
  openResponses: number
  isKeptOpen: boolean
  deadline?: NodeJS.Timeout
}

const heldBy = new WeakMap<Socket, Held>()

// Browsers send one request at a time. A single packet can pipeline two thousand, and Node would respond to them all.
const MAX_OPEN_RESPONSES = 16

/**
 * Limits the connections of a server so that nobody can lock others out. Over the limit, the network with the most
 * connections loses the one that has been idle longest; trusted proxies, which serve many people, come last.
 * `server.maxConnections` would turn newcomers away instead: a thousand silent clients would be enough to block the site.
 * Connections are reset, not ended: otherwise the kernel keeps buffering for slow readers.
 *
 * Returns a wrapper for the request listener that limits how many responses a connection may leave unread.
 */
export function limitConnections(server: Server, { maxConnections, responseTimeoutMs, trustProxy }: Options) {
  // Sorted by last response: a map keeps insertion order.
  const held = new Map<Socket, Held>()
  const countOf = new Map<string, number>()
  const isProxy = proxyCheck(trustProxy)
  const count = (network: string, change: number) => {
    const left = (countOf.get(network) ?? 0) + change
    if (left > 0) countOf.set(network, left)
    else countOf.delete(network)
  }

  server.on('connection', (socket) => {
    const address = socket.remoteAddress ?? ''
    const network = networkOf(address)
    const one: Held = { network, isProxy: isProxy(address), openResponses: 0, isKeptOpen: false }
    held.set(socket, one)
    heldBy.set(socket, one)
    count(one.network, 1)
    socket.on('close', () => {
      clearTimeout(one.deadline)
      held.delete(socket)
      count(one.network, -1)
    })
    if (held.size > maxConnections) {
      const longestWaiting = findDispensable(held, countOf)
      if (longestWaiting) cut(longestWaiting)
    }
  })

  return (listener: RequestListener): RequestListener =>
    (request, response) => {
      const { socket } = request
      const one = held.get(socket)
      // The parser still emits the rest of a packet after its connection is gone.
      if (!one || socket.destroyed) return
      if (one.openResponses === MAX_OPEN_RESPONSES) {
        stopParsing(socket)
        cut(socket)
        return
      }
      const expire = () => !one.isKeptOpen && cut(socket)
      if (one.openResponses++ === 0) one.deadline = setTimeout(expire, responseTimeoutMs)
      response.on('close', () => {
        if (--one.openResponses === 0) clearTimeout(one.deadline)
        else one.deadline?.refresh()
        if (held.delete(socket)) held.set(socket, one)
      })
      leaveUnread(request, response)
      listener(request, response)
    }
}

/**
 * Exempts a response that never ends from the deadline, and its connection from being closed over the limit. The caller
 * must limit how many there are, far below `maxConnections`.
 */
export function keepOpen(response: ServerResponse) {
  const one = response.socket ? heldBy.get(response.socket) : undefined
  if (!one) return
  one.isKeptOpen = true
  response.prependOnceListener('close', () => {
    one.isKeptOpen = false
  })
}

/** Node cannot reset a connection that is already ending: it reports an error and never closes it. */
const cut = (socket: Socket) => (socket.writableEnded ? socket.destroy() : socket.resetAndDestroy())

/**
 * Otherwise Node creates every request in the packet, only to abort it: 2.5 s for 40 packets, 0.2 s this way. 2 tells
 * llhttp that the connection was upgraded and no more HTTP follows. Undocumented: if it stops working, we only lose time.
 */
function stopParsing(socket: Socket) {
  const { parser } = socket as { parser?: { onIncoming: () => number } }
  if (parser) parser.onIncoming = () => 2
}

/** The longest-idle connection of the network that has the most. */
function findDispensable(held: Map<Socket, Held>, countOf: Map<string, number>): Socket | undefined {
  let most = -1
  let found: Socket | undefined
  for (const [socket, { network, isProxy, isKeptOpen }] of held) {
    if (isKeptOpen) continue
    const count = isProxy ? 0 : (countOf.get(network) ?? 0)
    if (count <= most) continue
    most = count
    found = socket
  }
  return found
}

// Loopback, RFC 1918, 3927, 4193, 4291 and 6598.
const privateNetworks = [
  ...['127.0.0.0/8', '10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '169.254.0.0/16', '100.64.0.0/10'],
  ...['::1/128', 'fc00::/7', 'fe80::/10'],
]

/**
 * Whether the peer address is a trusted proxy. If only a number of proxies is configured, any private address counts, so
 * visitors on the same network do too; visitors from the internet do not.
 */
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
