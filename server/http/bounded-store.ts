import type { Store } from 'express-rate-limit'

// This many clients take about 20 MB of memory. A full store forgets the oldest clients.
export const MAX_CLIENTS = 100_000

/**
 * Counters for express-rate-limit that use bounded memory, no matter how many addresses send requests. Uses a plain `Map`:
 * the library lru-cache would allocate 1.6 MB at startup, and is no faster.
 */
export function createBoundedStore(maxClients = MAX_CLIENTS): Store {
  // `endsAt` is when a client's window ends, on the monotonic clock, so nobody waits longer if the system clock is set back.
  const clients = new Map<string, { totalHits: number; endsAt: number }>()
  // There is only one iterator, because each new one would first have to skip all deleted entries.
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
        // Deleting first moves the client to the end, so that the map stays sorted by `endsAt`.
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
