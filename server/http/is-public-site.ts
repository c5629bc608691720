/** Host names that never belong to a site on the internet (RFC 2606, 6761, 6762, 8375 and ICANN's `.internal`). */
const privateNames =
  /(^|\.)(?:localhost|local|internal|home\.arpa|test|example|invalid|onion|example\.(?:com|net|org))$/

/** Whether an address can be open to the public. All IP addresses, and names without a dot, count as local. */
export function isPublicSite(siteUrl: string): boolean {
  const { hostname } = new URL(siteUrl)
  const isIpAddress = hostname.startsWith('[') || /\.\d+$/.test(hostname)
  return hostname.includes('.') && !isIpAddress && !privateNames.test(hostname)
}
