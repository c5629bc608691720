import type { Request, RequestHandler } from 'express'
import { Problem } from '../errors/problem.ts'

const REFUSAL = 'Requests from other websites are not accepted. Please use the form on our own page.'

type Options = { siteUrl: string; allowedOrigins: readonly string[] }

/**
 * Rejects form posts from other websites, except those in `allowedOrigins`. `handleCors` must run
 * before `checkOrigin`, so that the allowed websites can read error responses.
 */
export function originPolicy({ siteUrl, allowedOrigins }: Options) {
  const isAllowed = (origin: string | undefined) => origin !== undefined && allowedOrigins.includes(origin)

  const handleCors: RequestHandler = ({ method, headers: { origin } }, response, next) => {
    if (allowedOrigins.length > 0) response.vary('Origin')
    if (isAllowed(origin)) response.set({ ...corsHeaders, 'Access-Control-Allow-Origin': origin })
    if (method === 'OPTIONS') response.status(204).end()
    else next()
  }

  const checkOrigin: RequestHandler = (request, _response, next) => {
    const isForeign = !isSameOrigin(request, siteUrl) && !isAllowed(request.headers.origin)
    next(isForeign ? new Problem('foreign_origin', REFUSAL) : undefined)
  }

  return { handleCors, checkOrigin }
}

const corsHeaders = {
  'Access-Control-Expose-Headers': 'Idempotency-Replayed, Retry-After',
  'Access-Control-Allow-Methods': 'POST',
  // Supabase clients send the first three.
  'Access-Control-Allow-Headers': 'apikey, authorization, x-client-info, content-type, idempotency-key',
  'Access-Control-Max-Age': '600',
}

/**
 * A request with neither `Sec-Fetch-Site` nor `Origin` isn't from a browser, so it can't be
 * cross-site request forgery.
 */
function isSameOrigin({ headers }: Request, siteUrl: string): boolean {
  const { 'sec-fetch-site': site, origin, host } = headers
  if (site !== undefined) return site === 'same-origin' || site === 'none'
  return (
    origin === undefined || origin === siteUrl || (host !== undefined && URL.parse(origin)?.host === host)
  )
}
