import type { RequestHandler } from 'express'
import { readBody } from '../../http/read-body.ts'
import { Problem } from '../../problem.ts'

// Room for the longest answer with JSON escapes.
const MAX_BYTES = 128 * 1024

/**
 * Changes accept only JSON from our own pages, so that no other website can act in the owner's name. Unlike the contact
 * form, a request without `Sec-Fetch-Site` must have our own `Origin`.
 */
export const ownJsonOnly =
  (siteUrl: string): RequestHandler =>
  async (request, _response, next) => {
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      const site = request.headers['sec-fetch-site']
      if (site === undefined ? request.headers.origin !== siteUrl : site !== 'same-origin')
        throw new Problem('foreign_origin', 'Only the inbox page itself can do this.')
      if (!request.is('application/json'))
        throw new Problem('unsupported_media_type', 'Send JSON (Content-Type: application/json).')
      request.body = await readBody(request, MAX_BYTES)
    }
    next()
  }
