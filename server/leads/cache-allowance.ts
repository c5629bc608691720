import type { Allowance } from './accepted-requests.ts'

// When the cache is full, it is cleared, so that it can't use up the memory.
const MAX_CLIENTS = 10_000

type Entry = { remaining: number; resetAt: number; validUntil: number }

/** Caches the allowance of a client whose requests are being rejected, so that a flood needs no queries. */
export function cacheAllowance(allowanceOf: (client: string) => Promise<Allowance>) {
  const cache = new Map<string, Entry>()

  return async (client: string, now: Date, retryAfterSeconds: number): Promise<Allowance> => {
    const time = now.getTime()
    let entry = cache.get(client)
    if (!entry || time >= entry.validUntil) {
      const { remaining, resetSeconds } = await allowanceOf(client)
      const validSeconds = Math.min(resetSeconds, retryAfterSeconds)
      if (cache.size >= MAX_CLIENTS) cache.clear()
      entry = { remaining, resetAt: time + resetSeconds * 1000, validUntil: time + validSeconds * 1000 }
      cache.set(client, entry)
    }
    const resetSeconds = Math.max(1, Math.ceil((entry.resetAt - time) / 1000))
    return { remaining: entry.remaining, resetSeconds }
  }
}
