import type { Env } from '../env.ts'
import { type Finding, findingsAbout } from './finding.ts'

const about = findingsAbout('proxy')

/** Whether public address and trusted proxies fit together. This program speaks no TLS: https means a proxy. */
export function checkProxy({ SITE_URL, TRUST_PROXY }: Pick<Env, 'SITE_URL' | 'TRUST_PROXY'>): Finding {
  const isTrusting = TRUST_PROXY !== 0
  if (!SITE_URL)
    return about.warning(
      'SITE_URL is not set: links in emails and search results point to localhost.',
      'Set SITE_URL to the public address, like https://www.example.com.',
    )
  if (SITE_URL.startsWith('https:') && !isTrusting)
    return about.problem(
      'SITE_URL is https, so there is a proxy in front, but TRUST_PROXY is not set: all visitors count as one and share one limit.',
      'Set TRUST_PROXY=1, or to the number of proxies.',
    )
  if (SITE_URL.startsWith('http:') && isTrusting)
    return about.warning(
      'TRUST_PROXY is set, but SITE_URL is not https: without a proxy, visitors can forge their address.',
      'Remove TRUST_PROXY if there is no proxy; otherwise set SITE_URL to its https address.',
    )
  if (SITE_URL.startsWith('http:') && !isLocal(SITE_URL))
    return about.warning(
      'SITE_URL is not https: what visitors write travels in the clear.',
      'Put a proxy with TLS in front, see server/operations.md.',
    )
  return about.ok(
    isTrusting ? `Visitors come to ${SITE_URL} through a trusted proxy.` : `${SITE_URL}, without a proxy.`,
  )
}

const isLocal = (url: string) => ['localhost', '127.0.0.1', '[::1]'].includes(new URL(url).hostname)
