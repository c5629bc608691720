import { createHmac, timingSafeEqual } from 'node:crypto'

export type FormTokens = ReturnType<typeof createFormTokens>

/**
 * Signed timestamps. The form gets one on first use and sends it with the request. They show how long a visitor took, which
 * helps to detect spam.
 */
export function createFormTokens(key: string) {
  const sign = (time: string) => createHmac('sha256', key).update(time).digest('base64url')

  return {
    issue(now: Date): string {
      const time = String(now.getTime())
      return `${time}.${sign(time)}`
    },

    /** Milliseconds since the token was issued; undefined if it is invalid or from the future. */
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
