import { type ErrorRequestHandler, type Request, type RequestHandler, type Response, Router } from 'express'
import type { Logger } from 'pino'
import {
  type ContactReceipt,
  type ContactRequest,
  contactSchema,
  fieldErrors,
  formTokenField,
  honeypotField,
} from '#shared/contact-request.ts'
import { sourceField } from '#shared/lead-source.ts'
import { anchors, pages, sentParameter } from '#shared/pages.ts'
import { StorageUnavailable } from '../database/storage-error.ts'
import { floodLimit, skipFloodLimit } from '../http/flood-limit.ts'
import { originPolicy } from '../http/origins.ts'
import { isFormPost, readBody } from '../http/read-body.ts'
import { createTurns } from '../http/turns.ts'
import { stopReading } from '../http/unread-body.ts'
import { Problem } from '../problem.ts'
import type { Allowance, ContactLimit } from './accepted-requests.ts'
import { cacheAllowance } from './cache-allowance.ts'
import type { FormTokens } from './form-token.ts'
import { readSource } from './lead-source.ts'
import { rateLimited, type Sender, type SubmitLead } from './submit-lead.ts'

// The limit on replays, duplicates and rejected requests, as a multiple of the limit on accepted requests.
const FLOOD_FACTOR = 10

// In each turn of the event loop, at most this many requests are checked or answered. Node accepts only a few new
// connections per turn, so turns must be short.
const REQUESTS_PER_TURN = 5

type Deps = {
  submitLead: SubmitLead
  allowanceOf: (client: string) => Promise<Allowance>
  contactLimit: ContactLimit
  formTokens: FormTokens
  now: () => Date
  clientOf: Parameters<typeof floodLimit>[0]['clientOf']
  siteUrl: string
  allowedOrigins: readonly string[]
  log: Logger
}

/** `GET /functions/v1/contact-form-token`. The token proves how long the form has been open. */
export const issueFormToken =
  ({ formTokens, now }: Pick<Deps, 'formTokens' | 'now'>): RequestHandler =>
  (_request, response) => {
    response.type('text').set('Cache-Control', 'no-store').send(formTokens.issue(now()))
  }

/** `POST /functions/v1/send-contact-email`. Checks the origin, then the rate limit, then the content. */
export function sendContactEmail(deps: Deps): Router {
  const { contactLimit, clientOf } = deps
  const { handleCors, checkOrigin } = originPolicy(deps)
  const limitFlood = floodLimit({
    limit: contactLimit.limit * FLOOD_FACTOR,
    windowSeconds: contactLimit.windowSeconds,
    clientOf,
    createError: rateLimited,
  })
  const setHeaders = rateLimitHeaders(deps)
  return Router()
    .use(handleCors, postOnly)
    .use(Router().use(checkOrigin, limitFlood, receive(deps, setHeaders), handleError(deps, setHeaders)))
}

const postOnly: RequestHandler = (request, _response, next) => {
  if (request.method === 'POST') next()
  else
    next(
      new Problem('method_not_allowed', 'This address only accepts POST requests.', {
        headers: { Allow: 'POST, OPTIONS' },
      }),
    )
}

type SetHeaders = (request: Request, response: Response, allowance?: Allowance) => Promise<void>

/** Sets the RateLimit headers (draft 8) for the limit on accepted requests. Looks up the allowance unless it is given. */
function rateLimitHeaders({ allowanceOf, contactLimit, clientOf }: Deps): SetHeaders {
  const { limit, windowSeconds } = contactLimit
  return async (request, response, allowance) => {
    const { remaining, resetSeconds } =
      allowance ?? (await allowanceOf(clientOf(request)).catch(() => fullAllowance(contactLimit)))
    response.set('RateLimit-Policy', `"contact";q=${limit};w=${windowSeconds}`)
    response.set('RateLimit', `"contact";r=${remaining};t=${resetSeconds}`)
  }
}

/** The allowance to report if the actual one is unknown. */
const fullAllowance = ({ limit, windowSeconds }: ContactLimit): Allowance => ({
  remaining: limit,
  resetSeconds: windowSeconds,
})

/** Sets the RateLimit headers of the response to a rejected or failed request. */
function handleError(
  { allowanceOf, contactLimit, clientOf, now }: Deps,
  setHeaders: SetHeaders,
): ErrorRequestHandler {
  const cachedAllowance = cacheAllowance(allowanceOf)
  async function findAllowance(error: unknown, request: Request) {
    // Don't query again: the visitor has already waited for the database once.
    if (error instanceof StorageUnavailable) return fullAllowance(contactLimit)
    if (!(error instanceof Problem)) return undefined
    // Browsers hide this response from the website that sent the request, so its headers aren't worth a query.
    if (error.code === 'foreign_origin') return fullAllowance(contactLimit)
    if (error.code !== 'rate_limited') return undefined
    const seconds = Number(error.headers['Retry-After'])
    return cachedAllowance(clientOf(request), now(), seconds).catch(() => fullAllowance(contactLimit))
  }
  return async (error, request, response, next) => {
    stopReading(request)
    await setHeaders(request, response, await findAllowance(error, request))
    next(error)
  }
}

function receive(
  { submitLead, clientOf, formTokens, siteUrl, now, log }: Deps,
  setHeaders: SetHeaders,
): RequestHandler {
  const turn = createTurns(REQUESTS_PER_TURN)
  return async (request, response) => {
    const idempotencyKey = readIdempotencyKey(request.headers['idempotency-key'])
    const body = await readBody(request)
    await turn()
    const source = readSource(body, request, siteUrl)
    // Without JavaScript, a form at first has neither token nor source. If it is rejected, it is filled with these entries,
    // which include both.
    if (isFormPost(request))
      response.locals.entries = {
        [formTokenField]: formTokens.issue(now()),
        ...Object(body),
        [sourceField]: JSON.stringify(source),
      }
    const contact = parseContact(body)

    const submission = await submitLead(contact, {
      client: clientOf(request),
      idempotencyKey,
      ...readClues(body, formTokens, now()),
      source,
    })
    await turn()
    const { outcome, reference } = submission
    log.info({ reference, outcome }, 'request stored')
    if (outcome === 'accepted') skipFloodLimit(response)
    await setHeaders(request, response, outcome === 'accepted' ? submission.allowance : undefined)
    if (outcome === 'replayed') response.set('Idempotency-Replayed', 'true')

    response.set('Cache-Control', 'no-store')
    if (isFormPost(request))
      response.redirect(303, `${pages.home}?${sentParameter}=${reference}#${anchors.sent}`)
    else response.json({ success: true, reference } satisfies ContactReceipt)
  }
}

function readIdempotencyKey(header: string | string[] | undefined): string | null {
  if (header === undefined) return null
  const key = String(header)
  if (/^[\x20-\x7e]{1,255}$/.test(key)) return key
  throw new Problem(
    'invalid_input',
    'The Idempotency-Key header must be 1 to 255 printable ASCII characters.',
  )
}

/** Reads the extra fields of the form, which are not part of the content or its hash. */
function readClues(body: unknown, formTokens: FormTokens, now: Date): Pick<Sender, 'clues' | 'formToken'> {
  const { [honeypotField]: honeypot, [formTokenField]: given } = body as Record<string, unknown>
  const token = formTokens.read(given, now)
  return {
    clues: { isHoneypotFilled: Boolean(honeypot), formAgeMs: token?.ageMs },
    formToken: token?.stamp ?? null,
  }
}

function parseContact(body: unknown): ContactRequest {
  const result = contactSchema.safeParse(body)
  if (result.success) return result.data
  throw new Problem('invalid_input', 'Please check the marked fields and send the form again.', {
    errors: fieldErrors(result.error),
  })
}
