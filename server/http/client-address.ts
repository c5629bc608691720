import { createHmac } from 'node:crypto'
import type { Request } from 'express'
import { ipKeyGenerator } from 'express-rate-limit'

// An IPv6 customer gets a whole network, /56 in most places, so that is one client. IPv4 in IPv6 clothes is IPv4.
const IPV6_SUBNET_BITS = 56

/** Names the client of a request by a keyed hash of its network address: countable, but not an address. */
export const createClientHash =
  (key: string) =>
  (request: Pick<Request, 'ip'>): string =>
    createHmac('sha256', key)
      .update(ipKeyGenerator(request.ip ?? '', IPV6_SUBNET_BITS))
      .digest('base64url')
      .slice(0, 22)
