import type { Request, RequestHandler, Response } from 'express'
import { Problem } from '../problem.ts'

const PREFLIGHT_VALID_SECONDS = 600

type Options = { siteUrl: string; allowedOrigins: readonly string[] }

/**
 * Rejects form posts from other websites, except those in `allowedOrigins`. `handleCors` must run before `checkOrigin`, so
 * that the allowed websites can read error responses.
 */
export function originPolicy({ siteUrl, allowedOrigins }: Options) {
  const isAllowed = (origin: string | undefined) => origin !== undefined && allowedOrigins.includes(origin)

  const handleCors: RequestHandler = (request, response, next) => {
    if (allowedOrigins.length > 0) response.vary('Origin')
    if (isAllowed(request.headers.origin)) setCorsHeaders(request, response)
    if (request.method === 'OPTIONS') response.status(204).end()
    else next()
  }

  const checkOrigin: RequestHandler = (request, _response, next) => {
    if (isSameOrigin(request, siteUrl) || isAllowed(request.headers.origin)) next()
    else
      next(
        new Problem(
          'foreign_origin',
          'Requests from other websites are not accepted. Please use the form on our own page.',
        ),
      )
  }

  return { handleCors, checkOrigin }
}

function setCorsHeaders(request: Request, response: Response) {
  response.set({
    'Access-Control-Allow-Origin': request.headers.origin,
    'Access-Control-Expose-Headers': 'Idempotency-Replayed, Retry-After',
  })
  if (request.method !== 'OPTIONS') return
  response.set({
    'Access-Control-Allow-Methods': 'POST',
    // Supabase clients send the first three.
    'Access-Control-Allow-Headers': 'apikey, authorization, x-client-info, content-type, idempotency-key',
    'Access-Control-Max-Age': String(PREFLIGHT_VALID_SECONDS),
  })
}

/** A request with neither `Sec-Fetch-Site` nor `Origin` isn't from a browser, so it can't be cross-site request forgery. */
function isSameOrigin({ headers }: Request, siteUrl: string): boolean {
  const site = headers['sec-fetch-site']
  if (site !== undefined) return site === 'same-origin' || site === 'none'
  const { origin } = headers
  if (origin === undefined) return true
  const host = URL.parse(origin)?.host
  return origin === siteUrl || (host !== undefined && host === headers.host)
}
