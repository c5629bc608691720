import type { RequestHandler, Response } from 'express'
import { rateLimit } from 'express-rate-limit'
import { createBoundedStore } from './bounded-store.ts'

type Options = {
  limit: number
  windowSeconds: number
  clientOf: (request: Parameters<RequestHandler>[0]) => string
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
    // Not sent here: the RateLimit headers report only the contact form's limit on accepted requests.
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
