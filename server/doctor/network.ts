import { once } from 'node:events'
import { connect, isIP } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { errorFacts } from '../error-facts.ts'

const CONNECT_TIMEOUT_MS = 10_000

const reasons: Record<string, string> = {
  ENOTFOUND: 'no such host',
  EAI_AGAIN: 'DNS lookup failed',
  ECONNREFUSED: 'connection refused',
  ECONNRESET: 'the connection was closed',
  ETIMEDOUT: 'no answer',
  EHOSTUNREACH: 'no route to it',
  ENETUNREACH: 'no route to it',
  CERT_HAS_EXPIRED: 'its certificate has expired',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another name',
}

/** Explains why a connection or request failed. */
export function describeNetworkError(error: unknown): string {
  // An error from `fetch` says only "fetch failed"; its cause says why.
  const { code, message, name } = errorFacts(errorFacts(error).cause ?? error)
  if (name === 'AbortError' || name === 'TimeoutError') return 'no answer'
  if (code && reasons[code]) return `${reasons[code]} (${code})`
  return message || String(code ?? error)
}

/**
 * Whether a host is this machine or a container next to it, so that nobody else can read the traffic. A name without a
 * dot counts as one of these.
 */
export const isNearby = (hostname: string): boolean => /^(127\.|\[::1\]$|[\w-]*$)/.test(hostname)

/** Connects to the host of a URL, with TLS if it is https, and sends nothing. */
export async function connectTo({ protocol, hostname, port }: URL) {
  const host = hostname.replace(/^\[|\]$/g, '')
  const isPlain = protocol === 'http:'
  const socket = isPlain
    ? connect(Number(port || 80), host)
    : connectTls({ port: Number(port || 443), host, servername: isIP(host) ? '' : host })
  const signal = AbortSignal.timeout(CONNECT_TIMEOUT_MS)
  await once(socket, isPlain ? 'connect' : 'secureConnect', { signal }).finally(() => socket.destroy())
}
