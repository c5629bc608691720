import type { RequestListener, Server } from 'node:http'
import { BlockList, isIP, type Socket } from 'node:net'
import { networkOf } from './client-address.ts'
import { leaveUnread } from './unread-body.ts'

type Options = {
  /** More than this is an attack: visitors leave after one request, and a proxy keeps few connections open. */
  maxConnections: number
  /** How long a client may take to receive one answer; Node itself sets no bound to that. */
  answerTimeoutMs: number
  /** The number of proxies in front, or their addresses. */
  trustProxy: number | string[]
}

type Held = { network: string; isProxy: boolean; openAnswers: number; deadline?: NodeJS.Timeout }

// Browsers ask one at a time. Node prepares an answer to everything that one packet asks, up to two thousand times.
const MOST_OPEN_ANSWERS = 16

/**
 * Bounds the connections of a server so that nobody can shut others out: beyond the bound, whoever holds the most loses
 * the one that has waited longest since it came or was last answered; a trusted proxy, which holds them for many, comes
 * last. `server.maxConnections` would turn the newcomer away instead, and then a thousand clients that say nothing are
 * all it takes. A reset rather than an end: otherwise the kernel would go on keeping what a slow reader has not fetched.
 *
 * Returns what the requests must pass through: it bounds how many answers a connection may leave unread.
 */
export function holdConnections(server: Server, { maxConnections, answerTimeoutMs, trustProxy }: Options) {
  // In the order of their last answer: a map keeps the order of insertion.
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
    const one: Held = { network: networkOf(address), isProxy: isProxy(address), openAnswers: 0 }
    held.set(socket, one)
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

  return (answer: RequestListener): RequestListener =>
    (request, response) => {
      const { socket } = request
      const one = held.get(socket)
      // The parser still reads the rest of a packet whose connection is gone.
      if (!one || socket.destroyed) return
      if (one.openAnswers === MOST_OPEN_ANSWERS) {
        stopParsing(socket)
        cut(socket)
        return
      }
      if (one.openAnswers++ === 0) one.deadline = setTimeout(() => cut(socket), answerTimeoutMs)
      response.on('close', () => {
        if (--one.openAnswers === 0) clearTimeout(one.deadline)
        else one.deadline?.refresh()
        if (held.delete(socket)) held.set(socket, one)
      })
      leaveUnread(request, response)
      answer(request, response)
    }
}

/** Node cannot reset a connection that is being ended: it would report an error, and never close it. */
const cut = (socket: Socket) => (socket.writableEnded ? socket.destroy() : socket.resetAndDestroy())

/**
 * Node would go on making requests of a packet, only to abort each: 2.5 s for 40 packets, 0.2 s this way. 2 is what
 * llhttp takes for an upgrade, behind which nothing is HTTP. Undocumented: without it, that time is lost and no more.
 */
function stopParsing(socket: Socket) {
  const { parser } = socket as { parser?: { onIncoming: () => number } }
  if (parser) parser.onIncoming = () => 2
}

/** The longest waiting connection of the network that holds the most. */
function findDispensable(held: Map<Socket, Held>, countOf: Map<string, number>): Socket | undefined {
  let most = -1
  let found: Socket | undefined
  for (const [socket, { network, isProxy }] of held) {
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
 * Whether the address at the other end is a proxy. With a number of them, one in a private network is: a visitor there
 * counts as a proxy too, one who comes past it from the internet does not.
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
