import { lookup, resolve6 } from 'node:dns/promises'
import { networkInterfaces } from 'node:os'
import type { Env } from '../env.ts'
import { type Finding, findingsAbout } from './finding.ts'

const about = findingsAbout('proxy')

/** How this machine or container is connected. Tests replace it. */
export type Network = {
  /** The addresses of the network interfaces. */
  ownAddresses: () => string[]
  resolve6: (hostname: string) => Promise<string[]>
  lookup: (hostname: string) => Promise<unknown>
}
const network: Network = {
  ownAddresses: () =>
    Object.values(networkInterfaces()).flatMap((found = []) => found.map(({ address }) => address)),
  resolve6,
  lookup,
}

/** Checks that SITE_URL and TRUST_PROXY match. The server has no TLS, so https means that there is a proxy. */
export async function checkProxy(
  { SITE_URL, TRUST_PROXY }: Pick<Env, 'SITE_URL' | 'TRUST_PROXY'>,
  connected = network,
): Promise<Finding> {
  const isProxyTrusted = TRUST_PROXY !== 0
  if (!SITE_URL)
    return about.warning(
      'SITE_URL is not set: links in emails and search results point to localhost.',
      'Set SITE_URL to the public address, such as https://www.example.com.',
    )
  if (SITE_URL.startsWith('https:') && !isProxyTrusted)
    return about.problem(
      'SITE_URL is https, so there is a proxy, but TRUST_PROXY is not set: all visitors share one rate limit.',
      'Set TRUST_PROXY to the number of proxies, usually 1.',
    )
  if (SITE_URL.startsWith('http:') && isProxyTrusted)
    return about.warning(
      'TRUST_PROXY is set, but SITE_URL is not https: without a proxy, visitors can forge their address.',
      'If there is no proxy, remove TRUST_PROXY. Otherwise, set SITE_URL to the https address.',
    )
  if (SITE_URL.startsWith('http:') && !isLocal(SITE_URL))
    return about.warning(
      'SITE_URL is not https: the form sends its data unencrypted.',
      'Set up a proxy with TLS (see server/operations.md).',
    )
  if (isProxyTrusted && !isLocal(SITE_URL) && (await hidesIpv6Visitors(SITE_URL, connected)))
    return about.warning(
      'SITE_URL has an IPv6 address, but the containers have none: Docker gives all visitors over IPv6 one address, so they share one rate limit.',
      'Turn on IPv6 for the containers (see server/operations.md, "Proxy"), or remove the AAAA record.',
    )
  return about.ok(`Visitors reach ${SITE_URL} ${isProxyTrusted ? 'through a trusted' : 'without a'} proxy.`)
}

const isLocal = (url: string) => ['localhost', '127.0.0.1', '[::1]'].includes(new URL(url).hostname)

// The proxies in docker-compose.yml. Their names are known only in its network.
const ourProxies = ['proxy', 'balancer']

/**
 * Whether visitors come over IPv6 to a proxy in a container that has only IPv4. Says no if the proxy is another one: it may
 * well see the visitors' addresses.
 */
async function hidesIpv6Visitors(
  siteUrl: string,
  { ownAddresses, resolve6, lookup }: Network,
): Promise<boolean> {
  if (ownAddresses().some((address) => address.includes(':') && !/^(::1$|fe80:)/i.test(address))) return false
  const isFound = (search: Promise<unknown>) => search.then(Boolean, () => false)
  const found = await Promise.all(ourProxies.map((name) => isFound(lookup(name))))
  return found.includes(true) && isFound(resolve6(new URL(siteUrl).hostname))
}
