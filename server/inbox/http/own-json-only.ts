import { json, type RequestHandler, Router } from 'express'
import { Problem } from '../../problem.ts'

// Room for the longest answer with JSON escapes.
const MAX_BODY = '128kb'

/**
 * Accepts changes only as JSON from our own pages, so that no other website can act in the owner's name. Stricter than
 * the contact form: a request without `Sec-Fetch-Site` must have our own `Origin`.
 */
export function ownJsonOnly(siteUrl: string): RequestHandler {
  return Router().use(
    (request, _response, next) => {
      if (request.method === 'GET' || request.method === 'HEAD') return next('router')
      const site = request.headers['sec-fetch-site']
      if (site === undefined ? request.headers.origin !== siteUrl : site !== 'same-origin')
        throw new Problem('foreign_origin', 'Only the inbox page itself can do this.')
      if (!request.is('application/json'))
        throw new Problem('unsupported_media_type', 'Send JSON (Content-Type: application/json).')
      next()
    },
    json({ limit: MAX_BODY, inflate: false }),
  )
}
