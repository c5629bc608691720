import { isIP } from 'node:net'
import { Problem } from '../../../problem.ts'

/** The host name that passkeys are for; undefined if browsers allow none at this address. */
export function passkeyHost(siteUrl: string): string | undefined {
  const { protocol, hostname } = new URL(siteUrl)
  if (isIP(hostname.replace(/^\[|\]$/g, ''))) return undefined
  const isLocal = hostname === 'localhost' || hostname.endsWith('.localhost')
  return protocol === 'https:' || isLocal ? hostname : undefined
}

/** The host name, or a Problem that says why there is none. */
export function requireHost(siteUrl: string): string {
  const host = passkeyHost(siteUrl)
  if (host !== undefined) return host
  throw new Problem(
    'invalid_input',
    `Passkeys need an https address with a name, not an IP address. This site is at ${siteUrl}. Sign in with a code instead.`,
  )
}
