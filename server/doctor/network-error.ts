const words: Record<string, string> = {
  ENOTFOUND: 'there is no such host',
  EAI_AGAIN: 'the name could not be looked up',
  ECONNREFUSED: 'nothing listens there',
  ECONNRESET: 'the connection was cut',
  ETIMEDOUT: 'no answer',
  EHOSTUNREACH: 'no route to it',
  ENETUNREACH: 'no route to it',
  CERT_HAS_EXPIRED: 'its certificate has expired',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another name',
}

/** Why a connection or request failed, in words, with the code where there is one. */
export function describeNetworkError(error: unknown): string {
  // "fetch failed" says nothing; its cause does.
  const { code, message, name } = Object(Object(error).cause ?? error) as Record<string, string | undefined>
  if (name === 'AbortError' || name === 'TimeoutError') return 'no answer'
  if (code && words[code]) return `${words[code]} (${code})`
  return message || code || String(error)
}
