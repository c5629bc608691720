import { createHmac, randomBytes } from 'node:crypto'

export type FormTokens = ReturnType<typeof createFormTokens>

// A page that stays open longer than this sends an old token, which then counts as missing.
const VALID_MS = 24 * 60 * 60 * 1000

/**
 * Signed timestamps. The form gets one on first use and sends it with the request. They show how
 * long a visitor took, which helps to detect spam. The random part tells apart the tokens of a
 * millisecond, because each is good for only one lead.
 */
export function createFormTokens(key: string) {
  const sign = (stamp: string) => createHmac('sha256', key).update(stamp).digest('base64url')

  return {
    issue(now: Date): string {
      const stamp = `${now.getTime()}.${randomBytes(9).toString('base64url')}`
      return `${stamp}.${sign(stamp)}`
    },

    /**
     * The signed part of a token, and the milliseconds since it was issued. Undefined if the token
     * is invalid, older than a day, or from the future.
     */
    read(token: unknown, now: Date): { stamp: string; ageMs: number } | undefined {
      if (typeof token !== 'string') return undefined
      const [time = '', random = '', signature = ''] = token.split('.')
      const stamp = `${time}.${random}`
      if (signature !== sign(stamp)) return undefined
      const ageMs = now.getTime() - Number(time)
      return ageMs >= 0 && ageMs <= VALID_MS ? { stamp, ageMs } : undefined
    },
  }
}
