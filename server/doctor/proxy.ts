import type { Database } from '../database/schema.ts'
import { type CheckContext, type Found, ok, problem, warning } from './check.ts'

// With fewer requests, it may be by chance that all came from one address.
const MIN_REQUESTS = 5
// The proxies in docker-compose.yml. Their names are known only in its network.
const ourProxies = ['proxy', 'balancer']

type Network = Pick<CheckContext, 'dns' | 'ownAddresses'>

/**
 * Checks that SITE_URL and TRUST_PROXY match. The server has no TLS, so https means that there is a
 * proxy.
 */
export async function checkProxy(env: CheckContext['env'], network: Network): Promise<Found | []> {
  const { SITE_URL, TRUST_PROXY } = env
  if (!SITE_URL)
    return warning(
      'SITE_URL is not set: links in emails and search results point to localhost.',
      'Set SITE_URL to the public address, such as https://www.example.com.',
    )
  const { protocol, hostname } = new URL(SITE_URL)
  const isLocal = ['localhost', '127.0.0.1', '[::1]'].includes(hostname)
  if (protocol === 'https:' && TRUST_PROXY === 0)
    return problem(
      'SITE_URL is https, so there is a proxy, but TRUST_PROXY is not set: all visitors share one rate limit.',
      'Set TRUST_PROXY to the number of proxies, usually 1.',
    )
  if (protocol === 'http:' && !isLocal)
    return warning(
      'SITE_URL is not https: the form sends its data unencrypted.',
      'Set up a proxy with TLS (see server/operations.md, "Proxy").',
    )
  if (isLocal || !(await hidesIpv6Visitors(hostname, network))) return []
  return warning(
    'SITE_URL has an IPv6 address, but the containers have none: Docker gives all visitors over IPv6 one address, so they share one rate limit.',
    'Turn on IPv6 for the containers (see server/operations.md, "Proxy"), or remove the AAAA record.',
  )
}

/**
 * Whether visitors come over IPv6 to a proxy in a container that has only IPv4. Says no if the
 * proxy is another one: it may well see the visitors' addresses.
 */
async function hidesIpv6Visitors(hostname: string, { ownAddresses, dns }: Network): Promise<boolean> {
  if (ownAddresses.some((address) => address.includes(':') && !/^(::1$|fe80:)/i.test(address))) return false
  const isFound = (search: Promise<unknown>) => search.then(Boolean, () => false)
  const found = await Promise.all(ourProxies.map((name) => isFound(dns.lookup(name))))
  return found.includes(true) && isFound(dns.resolve6(hostname))
}

/**
 * Checks that the server can tell visitors apart. Only requests of the last day have their client's
 * hash.
 */
export async function checkVisitors(db: Database): Promise<Found> {
  const { requests, addresses } = await db
    .selectFrom('leads')
    .select(({ fn }) => [
      fn.count<number>('client').as('requests'),
      fn.count<number>('client').distinct().as('addresses'),
    ])
    .executeTakeFirstOrThrow()
  if (addresses > 1) return ok(`The requests of the last day came from ${addresses} addresses.`)
  if (requests < MIN_REQUESTS)
    return ok('Too few requests in the last day to tell whether each visitor has an address of their own.')
  return problem(
    `All ${requests} requests of the last day seem to come from one address, so visitors share one rate limit.`,
    'Unless all were your own tests, correct TRUST_PROXY: it must count or list every proxy, also a CDN (see server/operations.md, "Proxy").',
  )
}
