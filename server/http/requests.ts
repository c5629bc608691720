import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { Request, RequestHandler, Response } from 'express'
import type { Selectable } from 'kysely'
import * as z from 'zod/mini'
import type { Schema } from '../database/schema.ts'
import { Problem } from '../errors/problem.ts'
import { readBody } from './read-body.ts'

/**
 * The longest body that an owner may send: enough for the longest answer, even if JSON escapes
 * every character. Everyone else has a lower limit, because parsing this much can take 15 ms.
 */
export const OWNERS_BODY_BYTES = 128 * 1024

/**
 * Accepts changes only from our own pages, so that no other website can act on the owner's behalf.
 * This check is stricter than that of the contact form: a request without `Sec-Fetch-Site` must
 * have our own `Origin`.
 */
export const ownPagesOnly =
  (siteUrl: string): RequestHandler =>
  (request, _response, next) => {
    const site = request.headers['sec-fetch-site']
    if (
      isChange(request) &&
      (site === undefined ? request.headers.origin !== siteUrl : site !== 'same-origin')
    )
      throw new Problem('foreign_origin', 'Only the inbox page itself can do this.')
    next()
  }

/** Accepts changes only as JSON: a browser asks us before another website can send that. */
export const jsonOnly: RequestHandler = (request, _response, next) => {
  if (isChange(request) && !request.is('application/json'))
    throw new Problem('unsupported_media_type', 'Send JSON (Content-Type: application/json).')
  next()
}

/**
 * Reads the JSON body of a change, which is any request except GET and HEAD, into `request.body`.
 */
export const readJson =
  (maxBytes?: number): RequestHandler =>
  async (request, _response, next) => {
    if (isChange(request)) request.body = await readBody(request, maxBytes)
    next()
  }

const isChange = ({ method }: { method: string }) => method !== 'GET' && method !== 'HEAD'

/**
 * Checks a request's body or query. If it is invalid, throws `invalid_input` with `explanation` or
 * the first problem.
 */
export function readInput<Input>(schema: z.ZodMiniType<Input>, input: unknown, explanation?: string): Input {
  const result = z.safeParse(schema, input)
  if (result.success) return result.data
  const problem = result.error.issues.find(({ path }) => path.length > 0)?.message
  throw new Problem('invalid_input', explanation ?? problem ?? 'Send a JSON object.')
}

/** Creates a handler that responds with the result of `work`, as JSON. */
export const send =
  (work: (request: Request, response: Response) => unknown): RequestHandler =>
  async (request, response) => {
    response.json(await work(request, response))
  }

export type SessionRow = Selectable<Schema['sessions']>

/** The session that `requireSession` found. Call this only in routes behind `requireSession`. */
export const sessionOf = (response: Response): SessionRow => response.locals.session

export const setSession = (response: Response, session: SessionRow): void => {
  response.locals.session = session
}

/**
 * Compresses what `response.json` sends, off the main thread. The BREACH attack, which guesses
 * secrets from the size of compressed responses, does not work here: tokens are only in cookies,
 * never in a body, and with SameSite=Strict, no other website can send requests on the owner's
 * behalf.
 */
export const compressJson: RequestHandler = (request, response, next) => {
  const sendPlain = response.json.bind(response)
  response.json = (body) => {
    response.vary('Accept-Encoding')
    if (request.acceptsEncodings('gzip') !== 'gzip') return sendPlain(body)
    promisify(gzip)(JSON.stringify(body)).then((compressed) => {
      response.set('Content-Encoding', 'gzip').type('json').send(compressed)
    }, next)
    return response
  }
  next()
}
