import { createHmac } from 'node:crypto'
import type { Request, RequestHandler } from 'express'
import { ipKeyGenerator } from 'express-rate-limit'

// An IPv6 customer gets a whole network, /56 in most places, so that is one client. IPv4 in IPv6 clothes is IPv4.
const IPV6_SUBNET_BITS = 56

/** The network that counts as one client. */
export const networkOf = (address: string): string => ipKeyGenerator(address, IPV6_SUBNET_BITS)

/** 132 bits that tell nothing about the text to whoever lacks the key. */
export const createKeyedHash = (key: string) => (text: string) =>
  createHmac('sha256', key).update(text).digest('base64url').slice(0, 22)

/** Names the client of a request by a keyed hash of its network address: countable, but not an address. */
export function createClientHash(key: string) {
  const hashOf = createKeyedHash(key)
  // Each request is asked about more than once.
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

/** Some proxies write `192.0.2.1:50001`, and every port would be another client. To come before whatever asks for `ip`. */
export const forwardedAddresses: RequestHandler = ({ headers }, _response, next) => {
  const forwarded = headers['x-forwarded-for']
  if (forwarded) headers['x-forwarded-for'] = String(forwarded).split(',').map(withoutPort).join(',')
  next()
}

/** `192.0.2.1:80`, `[2001:db8::1]:80` and `[2001:db8::1]`; without brackets an IPv6 address cannot have a port. */
const withoutPort = (entry: string) => entry.trim().replace(/^\[([^\]]*)\](?::\d+)?$|^([^:]*):\d+$/, '$1$2')
