import type { Request, RequestHandler, Response } from 'express'
import { rateLimit, type Store } from 'express-rate-limit'
import { rateLimited } from '../errors/problem.ts'

// This many clients take about 15 MB of memory. A full store forgets all clients.
const MAX_CLIENTS = 100_000

type Options = {
  limit: number
  windowSeconds: number
  clientOf: (request: Request) => string
}

/** Marks a response that another limit has already counted, so that the flood limit ignores it. */
export const skipFloodLimit = (response: Response): void => {
  response.locals.skipsFloodLimit = true
}

/**
 * Limits requests that no other limit counts, such as rejected ones. Over the limit, a request is
 * refused before its body is read. Our own failures (5xx) don't count.
 */
export function floodLimit({ limit, windowSeconds, clientOf }: Options): RequestHandler {
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
      const resetTime: Date = Object(request).rateLimit.resetTime
      next(rateLimited(Math.max(1, Math.ceil((resetTime.getTime() - Date.now()) / 1000))))
    },
  })
}

/**
 * Counters that use bounded memory, no matter how many addresses send requests. The library's own
 * store would grow until the end of the window.
 */
export function createBoundedStore(): Store {
  const hits = new Map<string, number>()
  // When the window ends, on the monotonic clock, so nobody waits longer if the system clock is set
  // back.
  let endsAt = 0
  let windowMs = 0

  return {
    init(options) {
      windowMs = options.windowMs
    },
    increment(key) {
      const now = performance.now()
      if (now >= endsAt || hits.size >= MAX_CLIENTS) hits.clear()
      if (now >= endsAt) endsAt = now + windowMs
      const totalHits = (hits.get(key) ?? 0) + 1
      hits.set(key, totalHits)
      return { totalHits, resetTime: new Date(Date.now() + endsAt - now) }
    },
    decrement: (key) => void hits.set(key, (hits.get(key) ?? 1) - 1),
    resetKey: (key) => void hits.delete(key),
  }
}
