import type { RequestHandler, Response } from 'express'
import { rateLimit } from 'express-rate-limit'
import { createBoundedStore } from './bounded-store.ts'

type Options = {
  limit: number
  windowSeconds: number
  clientOf: (request: Parameters<RequestHandler>[0]) => string
  /** Makes the error of a client that has used up its budget. */
  refuse: (retryAfterSeconds: number) => Error
}

/** Marks a response as one that the flood limit does not count, because another budget has counted it. */
export const countElsewhere = (response: Response): void => {
  response.locals.isCountedElsewhere = true
}

/**
 * A budget in memory for requests that lead to nothing, spent before the body is read, so that a flood costs no
 * parsing and no write. What is stored, and what failed through our own fault, is given back.
 */
export function floodLimit({ limit, windowSeconds, clientOf, refuse }: Options): RequestHandler {
  return rateLimit({
    windowMs: windowSeconds * 1000,
    limit,
    store: createBoundedStore(),
    keyGenerator: clientOf,
    // The function's headers speak of the budget of accepted requests.
    standardHeaders: false,
    legacyHeaders: false,
    // Who cannot be counted is let through: a lead is worth more than a limit.
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
