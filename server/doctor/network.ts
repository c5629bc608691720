import { errorFacts } from '../error-facts.ts'

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
  // The message of fetch is only "fetch failed".
  const { code, message, name } = errorFacts(errorFacts(error).cause ?? error)
  if (name === 'AbortError' || name === 'TimeoutError') return 'no answer'
  if (code && reasons[code]) return `${reasons[code]} (${code})`
  return message || String(code ?? error)
}

/** Whether a host is this machine or a container next to it, so that nobody can read the traffic. */
export const isNearby = (hostname: string): boolean => /^(127\.|\[::1\]$|[\w-]*$)/.test(hostname)
