import { createHmac } from 'node:crypto'
import type { Request } from 'express'
import { ipKeyGenerator } from 'express-rate-limit'

// An IPv6 customer gets a whole network, /56 in most places, so that is one client. IPv4 in IPv6 clothes is IPv4.
const IPV6_SUBNET_BITS = 56

/** The network that counts as one client. */
export const networkOf = (address: string): string => ipKeyGenerator(address, IPV6_SUBNET_BITS)

/** Names the client of a request by a keyed hash of its network address: countable, but not an address. */
export function createClientHash(key: string) {
  // Each request is asked about more than once.
  const known = new WeakMap<object, string>()
  return (request: Pick<Request, 'ip'>): string => {
    const seen = known.get(request)
    if (seen) return seen
    const hash = createHmac('sha256', key)
      .update(networkOf(request.ip ?? ''))
      .digest('base64url')
      .slice(0, 22)
    known.set(request, hash)
    return hash
  }
}
