import type { Store } from 'express-rate-limit'

// About 20 MB. Beyond it the clients seen first are forgotten: memory stays bounded and people are let through.
const MAX_CLIENTS = 100_000

/** Counters for express-rate-limit that cannot outgrow the machine, whoever asks from however many addresses. */
export function createBoundedStore(maxClients = MAX_CLIENTS): Store {
  // `endsAt` is on the monotonic clock: a system clock that is set back must not lengthen anybody's wait.
  const clients = new Map<string, { totalHits: number; endsAt: number }>()
  // One iterator for good: what it has passed is gone, and a new one would walk over those gaps for each client.
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
        // Deleted first, so that it goes to the end: the map's order is the order of the reset times.
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
