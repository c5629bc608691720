const words: Record<string, string> = {
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

/** Why a connection or request failed, in words, with its error code. */
export function describeNetworkError(error: unknown): string {
  // fetch itself only says "fetch failed".
  const { code, message, name } = Object(Object(error).cause ?? error) as Record<string, string | undefined>
  if (name === 'AbortError' || name === 'TimeoutError') return 'no answer'
  if (code && words[code]) return `${words[code]} (${code})`
  return message || code || String(error)
}
