import { type ErrorRequestHandler, type Request, type RequestHandler, type Response, Router } from 'express'
import type { Logger } from 'pino'
import {
  type ContactReceipt,
  type ContactRequest,
  contactSchema,
  fieldErrors,
  formTokenField,
  trapField,
} from '#shared/contact-request.ts'
import { anchors, pages, sentParameter } from '#shared/pages.ts'
import { StorageUnavailable } from '../database/storage-error.ts'
import { countElsewhere, floodLimit } from '../http/flood-limit.ts'
import { originPolicy } from '../http/origins.ts'
import { isFormPost, readBody } from '../http/read-body.ts'
import { stopReading } from '../http/unread-body.ts'
import { Problem } from '../problem.ts'
import type { Allowance, ContactLimit } from './accepted-requests.ts'
import type { FormTokens } from './form-token.ts'
import { rememberAllowance } from './remember-allowance.ts'
import { type FormClues, rateLimited, type SubmitLead } from './submit-lead.ts'

// Replays, copies and rejected requests: this many times as many as accepted ones.
const FLOOD_FACTOR = 10

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

/** `POST /functions/v1/send-contact-email`. The order is the contract: from where, how often, then what. */
export function sendContactEmail(deps: Deps): Router {
  const { contactLimit, clientOf } = deps
  const { answerCors, refuseForeign } = originPolicy(deps)
  const flood = floodLimit({
    limit: contactLimit.limit * FLOOD_FACTOR,
    windowSeconds: contactLimit.windowSeconds,
    clientOf,
    refuse: rateLimited,
  })
  const tellAllowance = rateLimitHeaders(deps)
  return Router()
    .use(answerCors, postOnly)
    .use(Router().use(refuseForeign, flood, receive(deps, tellAllowance), refusal(deps, tellAllowance)))
}

const postOnly: RequestHandler = (request, _response, next) => {
  if (request.method === 'POST') next()
  else
    next(
      new Problem('method_not_allowed', 'This address takes POST requests only.', {
        headers: { Allow: 'POST, OPTIONS' },
      }),
    )
}

type TellAllowance = (request: Request, response: Response, allowance?: Allowance) => Promise<void>

/** Draft 8 of the RateLimit header fields, about the budget of accepted requests; looked up where it is not given. */
function rateLimitHeaders({ allowanceOf, contactLimit, clientOf }: Deps): TellAllowance {
  const { limit, windowSeconds } = contactLimit
  return async (request, response, allowance) => {
    const { remaining, resetSeconds } =
      allowance ?? (await allowanceOf(clientOf(request)).catch(() => untouched(contactLimit)))
    response.set('RateLimit-Policy', `"contact";q=${limit};w=${windowSeconds}`)
    response.set('RateLimit', `"contact";r=${remaining};t=${resetSeconds}`)
  }
}

/** What is told where the database cannot be read: the answer itself says what is wrong. */
const untouched = ({ limit, windowSeconds }: ContactLimit): Allowance => ({
  remaining: limit,
  resetSeconds: windowSeconds,
})

function refusal(
  { allowanceOf, contactLimit, clientOf, now }: Deps,
  tellAllowance: TellAllowance,
): ErrorRequestHandler {
  const allowanceWhileRefused = rememberAllowance(allowanceOf)
  const known = async (error: unknown, request: Request) => {
    // A visitor who has waited for the database in vain does not wait for it again.
    if (error instanceof StorageUnavailable) return untouched(contactLimit)
    // Browsers do not let another website read the answer: it is worth no query.
    if (error instanceof Problem && error.code === 'foreign_origin') return untouched(contactLimit)
    if (!(error instanceof Problem && error.code === 'rate_limited')) return undefined
    const seconds = Number(error.headers['Retry-After'])
    return allowanceWhileRefused(clientOf(request), now(), seconds).catch(() => untouched(contactLimit))
  }
  return async (error, request, response, next) => {
    stopReading(request)
    await tellAllowance(request, response, await known(error, request))
    next(error)
  }
}

function receive(
  { submitLead, clientOf, formTokens, now, log }: Deps,
  tellAllowance: TellAllowance,
): RequestHandler {
  return async (request, response) => {
    const idempotencyKey = readKey(request.headers['idempotency-key'])
    const body = await readBody(request)
    // For the page that hands a refused form back; without a script it is the first one that can hold a time.
    if (isFormPost(request))
      response.locals.entries = { [formTokenField]: formTokens.issue(now()), ...Object(body) }
    const contact = parseContact(body)

    const submission = await submitLead(contact, {
      client: clientOf(request),
      idempotencyKey,
      clues: readClues(body, formTokens, now()),
    })
    const { outcome, reference } = submission
    log.info({ reference, outcome }, 'request stored')
    if (outcome === 'accepted') countElsewhere(response)
    await tellAllowance(request, response, outcome === 'accepted' ? submission.allowance : undefined)
    if (outcome === 'replayed') response.set('Idempotency-Replayed', 'true')

    response.set('Cache-Control', 'no-store')
    if (isFormPost(request))
      response.redirect(303, `${pages.home}?${sentParameter}=${reference}#${anchors.sent}`)
    else response.json({ success: true, reference } satisfies ContactReceipt)
  }
}

function readKey(header: string | string[] | undefined): string | null {
  if (header === undefined) return null
  const key = String(header)
  if (/^[\x20-\x7e]{1,255}$/.test(key)) return key
  throw new Problem(
    'invalid_input',
    'The Idempotency-Key header must be 1 to 255 printable ASCII characters.',
  )
}

/** What the form sends beside the request. The schema drops it: it is part of no content, hash or idempotency. */
function readClues(body: unknown, formTokens: FormTokens, now: Date): FormClues {
  const { [trapField]: trap, [formTokenField]: token } = body as Record<string, unknown>
  return { isTrapFilled: Boolean(trap), formAgeMs: formTokens.ageMs(token, now) }
}

function parseContact(body: unknown): ContactRequest {
  const result = contactSchema.safeParse(body)
  if (result.success) return result.data
  throw new Problem('invalid_input', 'Please check the marked fields and send the form again.', {
    errors: fieldErrors(result.error),
  })
}
