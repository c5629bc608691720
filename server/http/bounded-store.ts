import type { Store } from 'express-rate-limit'

// About 10 MB. Beyond it the clients seen first are forgotten: memory stays bounded and people are let through.
const MAX_CLIENTS = 100_000

/** Counters for express-rate-limit that cannot outgrow the machine, whoever asks from however many addresses. */
export function createBoundedStore(maxClients = MAX_CLIENTS): Store {
  // `endsAt` is on the monotonic clock: a system clock that is set back must not lengthen anybody's wait.
  const clients = new Map<string, { totalHits: number; resetTime: Date; endsAt: number }>()
  let windowMs = 0

  return {
    init(options) {
      windowMs = options.windowMs
    },
    increment(key) {
      const known = clients.get(key)
      if (known && known.endsAt > performance.now()) {
        known.totalHits += 1
        return known
      }
      // Deleted first, so that it goes to the end: the map's order is the order of the reset times.
      clients.delete(key)
      const [oldest] = clients.keys()
      if (oldest !== undefined && clients.size >= maxClients) clients.delete(oldest)
      const fresh = {
        totalHits: 1,
        resetTime: new Date(Date.now() + windowMs),
        endsAt: performance.now() + windowMs,
      }
      clients.set(key, fresh)
      return fresh
    },
    decrement(key) {
      const known = clients.get(key)
      if (known) known.totalHits -= 1
    },
    resetKey(key) {
      clients.delete(key)
    },
  }
}
