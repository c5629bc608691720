import type { Request, RequestHandler } from 'express'
import {
  type ContactReceipt,
  type ContactRequest,
  contactSchema,
  fieldErrors,
  formTokenField,
  honeypotField,
} from '#shared/contact-request.ts'
import { cleanSource, sourceField } from '#shared/lead-source.ts'
import { anchors, pages, sentParameter } from '#shared/pages.ts'
import type { Context } from '../context.ts'
import { Problem } from '../errors/problem.ts'
import { floodLimit, skipFloodLimit } from '../http/flood-limit.ts'
import { originPolicy } from '../http/origins.ts'
import { isFormPost, readBody } from '../http/read-body.ts'
import type { FormTokens } from './form-token.ts'
import type { Requester, SubmitLead } from './submit-lead.ts'

// The limit on replays, duplicates and rejected requests, as a multiple of the limit on accepted
// requests.
const FLOOD_FACTOR = 10

type Deps = Pick<Context, 'env' | 'siteUrl' | 'now'> & {
  submitLead: SubmitLead
  formTokens: FormTokens
  /** The client's network, which only memory keeps. */
  networkOf: (request: Request) => string
  clientOf: (request: Request) => string
}

/**
 * The steps of `POST /functions/v1/send-contact-email`, in their order, and `GET
 * /functions/v1/contact-form-token`, whose token proves how long the form has been open.
 */
export function sendContactEmail(deps: Deps) {
  const { env, siteUrl, networkOf, formTokens, now } = deps
  const origins = originPolicy({ siteUrl, allowedOrigins: env.ALLOWED_ORIGINS })
  const limitFlood = floodLimit({
    limit: env.CONTACT_LIMIT * FLOOD_FACTOR,
    windowSeconds: env.CONTACT_LIMIT_WINDOW_SECONDS,
    clientOf: networkOf,
  })
  const issueFormToken: RequestHandler = (_request, response) => {
    response.type('text').set('Cache-Control', 'no-store').send(formTokens.issue(now()))
  }
  return { ...origins, postOnly, limitFlood, receive: receive(deps), issueFormToken }
}

const postOnly: RequestHandler = ({ method }, _response, next) => {
  if (method === 'POST') return next()
  throw new Problem('method_not_allowed', 'This address only accepts POST requests.', {
    headers: { Allow: 'POST, OPTIONS' },
  })
}

function receive({ submitLead, clientOf, formTokens, now }: Deps): RequestHandler {
  return async (request, response) => {
    const idempotencyKey = readIdempotencyKey(request.headers['idempotency-key'])
    const body = await readBody(request)
    const contact = parseContact(body)

    const { outcome, reference } = await submitLead(contact, {
      client: clientOf(request),
      idempotencyKey,
      ...readClues(body, formTokens, now()),
      source: cleanSource(Object(body)[sourceField]),
    })
    response.locals.logged = { reference, outcome }
    if (outcome === 'accepted') skipFloodLimit(response)
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
function readClues(body: unknown, formTokens: FormTokens, now: Date): Pick<Requester, 'clues' | 'formToken'> {
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
