import { createHmac } from 'node:crypto'
import type { Request, RequestHandler } from 'express'
import { ipKeyGenerator } from 'express-rate-limit'
import type { Logger } from 'pino'

// An IPv6 customer usually gets a /56, so a /56 counts as one client. IPv4-mapped addresses count
// as IPv4.
const IPV6_SUBNET_BITS = 56

/** Creates 132-bit hashes that reveal nothing about the text to anyone without the key. */
export const createKeyedHash = (key: string) => (text: string) =>
  createHmac('sha256', key).update(text).digest('base64url').slice(0, 22)

/** The network of a request's client. Only for memory: what is stored uses its hash. */
export const networkOf = ({ ip = '' }: Pick<Request, 'ip'>): string => ipKeyGenerator(ip, IPV6_SUBNET_BITS)

/**
 * Identifies the client of a request by a keyed hash of its network, so that no address is stored.
 */
export function createClientHash(key: string) {
  const keyedHash = createKeyedHash(key)
  return (request: Pick<Request, 'ip'>): string => keyedHash(networkOf(request))
}

/**
 * Removes the port from each forwarded address (`192.0.2.1:50001`): with it, each connection would
 * count as a new client. Must run before anything reads `request.ip`.
 */
export const forwardedAddresses: RequestHandler = ({ headers }, _response, next) => {
  const forwarded = headers['x-forwarded-for']
  if (forwarded?.includes(':'))
    headers['x-forwarded-for'] = String(forwarded).split(',').map(withoutPort).join(',')
  next()
}

/**
 * Logs once if requests come through a proxy that TRUST_PROXY doesn't cover: all its visitors count
 * as one client.
 */
export function reportUnknownProxy(log: Logger): RequestHandler {
  let isReported = false
  return ({ app, headers, socket }, _response, next) => {
    if (!isReported && headers['x-forwarded-for'] && !app.get('trust proxy fn')(socket.remoteAddress, 0)) {
      isReported = true
      log.warn('a proxy is not in TRUST_PROXY, so its visitors share one rate limit; set TRUST_PROXY')
    }
    next()
  }
}

/**
 * Handles `192.0.2.1:80`, `[2001:db8::1]:80` and `[2001:db8::1]`. An IPv6 address without brackets
 * has no port.
 */
const withoutPort = (entry: string) => entry.trim().replace(/^\[([^\]]*)\](?::\d+)?$|^([^:]*):\d+$/, '$1$2')
