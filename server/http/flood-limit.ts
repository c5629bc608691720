import type { RequestHandler, Response } from 'express'
import { rateLimit } from 'express-rate-limit'
import { createBoundedStore } from './bounded-store.ts'

type Options = {
  limit: number
  windowSeconds: number
  clientOf: (request: Parameters<RequestHandler>[0]) => string
  /** Creates the error for a client that has used up its budget. */
  refuse: (retryAfterSeconds: number) => Error
}

/** Tells the flood limit not to count this response, because another budget already did. */
export const countElsewhere = (response: Response): void => {
  response.locals.isCountedElsewhere = true
}

/**
 * An in-memory budget for requests that store nothing. It is checked before the body is read, so that a flood costs no
 * parsing and no write. Stored requests and our own failures (5xx) are refunded.
 */
export function floodLimit({ limit, windowSeconds, clientOf, refuse }: Options): RequestHandler {
  return rateLimit({
    windowMs: windowSeconds * 1000,
    limit,
    store: createBoundedStore(),
    keyGenerator: clientOf,
    // The RateLimit headers are about the budget for accepted requests.
    standardHeaders: false,
    legacyHeaders: false,
    // If counting fails, let the request through: a lead is worth more than a limit.
    passOnStoreError: true,
    skipSuccessfulRequests: true,
    requestWasSuccessful: (_request, response) =>
      response.locals.isCountedElsewhere === true || response.statusCode >= 500,
    handler: (request, _response, next) => {
      const resetTime: Date | undefined = Object(request).rateLimit?.resetTime
      const seconds = resetTime ? Math.ceil((resetTime.getTime() - Date.now()) / 1000) : windowSeconds
      next(refuse(Math.max(1, seconds)))
    },
  })
}
