import { isIP } from 'node:net'
import { Problem } from '../../../problem.ts'

/** The host name that passkeys belong to; undefined if browsers don't allow passkeys at this address. */
export function passkeyHost(siteUrl: string): string | undefined {
  const { protocol, hostname } = new URL(siteUrl)
  if (isIP(hostname.replace(/^\[|\]$/g, ''))) return undefined
  const isLocal = hostname === 'localhost' || hostname.endsWith('.localhost')
  return protocol === 'https:' || isLocal ? hostname : undefined
}

/** Like `passkeyHost`, but if browsers don't allow passkeys at this address, throws a Problem that says why. */
export function requireHost(siteUrl: string): string {
  const host = passkeyHost(siteUrl)
  if (host !== undefined) return host
  throw new Problem(
    'invalid_input',
    `Passkeys need an https address with a domain name, not an IP address. This site is at ${siteUrl}. Sign in with a code instead.`,
  )
}
