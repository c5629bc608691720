import { count } from '#shared/count.ts'
import type { LeadStatus } from '#shared/inbox/lead-changes.ts'
import type { ProblemDetails } from '#shared/problem.ts'

const statusByCode = {
  invalid_input: 400,
  signed_out: 401,
  foreign_origin: 403,
  sign_in_again: 403,
  not_found: 404,
  method_not_allowed: 405,
  conflict: 409,
  too_large: 413,
  unsupported_media_type: 415,
  idempotency_conflict: 422,
  rate_limited: 429,
  internal: 500,
  storage_unavailable: 503,
  mailbox_unavailable: 503,
} as const

type Facts = Pick<ProblemDetails, 'errors' | 'draft'> & {
  /** The state and version that a lead has. */
  current?: LeadStatus
}

/** An expected error, with a code from the list above and an explanation for the user. */
export class Problem extends Error {
  readonly code: keyof typeof statusByCode
  readonly headers: Record<string, string>
  readonly facts: Facts

  constructor(
    code: Problem['code'],
    detail: string,
    { headers = {}, ...facts }: Facts & { headers?: Record<string, string> } = {},
  ) {
    super(detail)
    this.code = code
    this.headers = headers
    this.facts = facts
  }

  /** The response body. `about:blank` means that the status code says it all (RFC 9457, 4.2.1). */
  toDetails(): ProblemDetails {
    // Loaded here because, at the top, loading it would take a sixth of the startup time of
    // commands such as `leads`, which need no titles.
    const { STATUS_CODES } = process.getBuiltinModule('node:http')
    const status = statusByCode[this.code]
    const title = STATUS_CODES[status] ?? 'Error'
    return { type: 'about:blank', title, status, detail: this.message, ...this.facts }
  }
}

/** The error for a client that has sent too many requests. */
export function rateLimited(retryAfterSeconds: number): Problem {
  const minutes = Math.ceil(retryAfterSeconds / 60)
  const wait = minutes < 100 ? count(minutes, 'minute') : count(Math.ceil(minutes / 60), 'hour')
  return new Problem(
    'rate_limited',
    `Too many requests from your connection. Please try again in ${wait}, or email us directly.`,
    { headers: { 'Retry-After': String(retryAfterSeconds) } },
  )
}
