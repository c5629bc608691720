import { createHmac } from 'node:crypto'
import type { Request, RequestHandler } from 'express'
import { ipKeyGenerator } from 'express-rate-limit'

// An IPv6 customer usually gets a whole /56, so that counts as one client. IPv4-mapped addresses count as IPv4.
const IPV6_SUBNET_BITS = 56

/** The network that counts as one client. */
export const networkOf = (address: string): string => ipKeyGenerator(address, IPV6_SUBNET_BITS)

/** A 132-bit hash that reveals nothing about the text without the key. */
export const createKeyedHash = (key: string) => (text: string) =>
  createHmac('sha256', key).update(text).digest('base64url').slice(0, 22)

/** Identifies the client of a request by a keyed hash of its network, so that no address is stored. */
export function createClientHash(key: string) {
  const hashOf = createKeyedHash(key)
  // Each request is looked up more than once.
  const known = new WeakMap<object, string>()
  return (request: Pick<Request, 'ip'>): string => {
    const seen = known.get(request)
    if (seen) return seen
    const network = ipKeyGenerator(request.ip ?? '', IPV6_SUBNET_BITS)
    const hash = hashOf(network)
    known.set(request, hash)
    return hash
  }
}

/** Some proxies write `192.0.2.1:50001`, and each port would count as a new client. Must run before anything reads `ip`. */
export const forwardedAddresses: RequestHandler = ({ headers }, _response, next) => {
  const forwarded = headers['x-forwarded-for']
  if (forwarded) headers['x-forwarded-for'] = String(forwarded).split(',').map(withoutPort).join(',')
  next()
}

/** Handles `192.0.2.1:80`, `[2001:db8::1]:80` and `[2001:db8::1]`; an IPv6 address without brackets has no port. */
const withoutPort = (entry: string) => entry.trim().replace(/^\[([^\]]*)\](?::\d+)?$|^([^:]*):\d+$/, '$1$2')
