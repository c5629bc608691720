/**
 * Host names that a public site can't have (RFC 2606, 6761, 6762, 7686, 8375, and ICANN's
 * `.internal`).
 */
const privateNames =
  /(^|\.)(?:localhost|local|internal|home\.arpa|test|example|invalid|onion|example\.(?:com|net|org))$/

/**
 * Whether a site with this URL can be public. IP addresses and names without a dot count as not
 * public.
 */
export function isPublicSite(siteUrl: string): boolean {
  const { hostname } = new URL(siteUrl)
  const isIpAddress = hostname.startsWith('[') || /\.\d+$/.test(hostname)
  return hostname.includes('.') && !isIpAddress && !privateNames.test(hostname)
}
