import type { Env } from '../env.ts'
import { type Finding, findingsAbout } from './finding.ts'

const about = findingsAbout('proxy')

/** Checks that SITE_URL and TRUST_PROXY match. The server has no TLS, so https means that there is a proxy. */
export function checkProxy({ SITE_URL, TRUST_PROXY }: Pick<Env, 'SITE_URL' | 'TRUST_PROXY'>): Finding {
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
  return about.ok(`Visitors reach ${SITE_URL} ${isProxyTrusted ? 'through a trusted' : 'without a'} proxy.`)
}

const isLocal = (url: string) => ['localhost', '127.0.0.1', '[::1]'].includes(new URL(url).hostname)
