import { createHmac, timingSafeEqual } from 'node:crypto'

export type FormTokens = ReturnType<typeof createFormTokens>

/**
 * Signed times: what the form gets when it is first touched and sends back with the request. Nothing is remembered, so
 * a token is good for any number of requests; it is a hint about spam, not a permission.
 */
export function createFormTokens(key: string) {
  const sign = (time: string) => createHmac('sha256', key).update(time).digest('base64url')

  return {
    issue(now: Date): string {
      const time = String(now.getTime())
      return `${time}.${sign(time)}`
    },

    /** Milliseconds since a token was issued; undefined where it is none of ours, or from a clock that was ahead. */
    ageMs(token: unknown, now: Date): number | undefined {
      if (typeof token !== 'string') return undefined
      const [time = '', signature = ''] = token.split('.')
      const expected = Buffer.from(sign(time))
      const received = Buffer.from(signature)
      if (received.length !== expected.length || !timingSafeEqual(received, expected)) return undefined
      const age = now.getTime() - Number(time)
      return age >= 0 ? age : undefined
    },
  }
}
