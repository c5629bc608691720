import type { Store } from 'express-rate-limit'

// This many clients take about 20 MB. A full store forgets the oldest clients.
export const MAX_CLIENTS = 100_000

/**
 * Counters for express-rate-limit that use bounded memory, no matter how many addresses send requests. Uses a plain `Map`:
 * the library lru-cache would allocate 1.6 MB at startup, and is no faster.
 */
export function createBoundedStore(maxClients = MAX_CLIENTS): Store {
  // `endsAt` is a time on the monotonic clock: setting the system clock back must not make anyone wait longer.
  const clients = new Map<string, { totalHits: number; endsAt: number }>()
  // Reuses one iterator, because a new one would have to skip all deleted entries each time.
  const oldestFirst = clients.keys()
  let windowMs = 0

  return {
    init(options) {
      windowMs = options.windowMs
    },
    increment(key) {
      const now = performance.now()
      let client = clients.get(key)
      if (client && client.endsAt > now) client.totalHits += 1
      else {
        // Deleting first moves the client to the end, so that the map stays sorted by reset time.
        clients.delete(key)
        if (clients.size >= maxClients) clients.delete(oldestFirst.next().value ?? '')
        client = { totalHits: 1, endsAt: now + windowMs }
        clients.set(key, client)
      }
      return { totalHits: client.totalHits, resetTime: new Date(Date.now() + client.endsAt - now) }
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
