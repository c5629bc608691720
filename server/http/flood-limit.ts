import type { Request, RequestHandler, Response } from 'express'
import { rateLimit, type Store } from 'express-rate-limit'

// This many clients take about 20 MB of memory. A full store forgets the oldest clients.
export const MAX_CLIENTS = 100_000

type Options = {
  limit: number
  windowSeconds: number
  clientOf: (request: Request) => string
  /** Creates the error for a client that is over the limit. */
  createError: (retryAfterSeconds: number) => Error
}

/** Marks a response that another limit has already counted, so that the flood limit ignores it. */
export const skipFloodLimit = (response: Response): void => {
  response.locals.skipsFloodLimit = true
}

/**
 * Limits requests that no other limit counts, such as rejected ones. Over the limit, a request is refused before its body is
 * read. Our own failures (5xx) don't count.
 */
export function floodLimit({ limit, windowSeconds, clientOf, createError }: Options): RequestHandler {
  return rateLimit({
    windowMs: windowSeconds * 1000,
    limit,
    store: createBoundedStore(),
    keyGenerator: clientOf,
    standardHeaders: false,
    legacyHeaders: false,
    // If counting fails, let the request through: a lead is worth more than a limit.
    passOnStoreError: true,
    skipSuccessfulRequests: true,
    requestWasSuccessful: (_request, response) =>
      response.locals.skipsFloodLimit === true || response.statusCode >= 500,
    handler: (request, _response, next) => {
      const resetTime: Date | undefined = Object(request).rateLimit?.resetTime
      const seconds = resetTime ? Math.ceil((resetTime.getTime() - Date.now()) / 1000) : windowSeconds
      next(createError(Math.max(1, seconds)))
    },
  })
}

/**
 * Counters that use bounded memory, no matter how many addresses send requests. The library's own store would grow until the
 * end of the window.
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
