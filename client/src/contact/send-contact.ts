import { contactPath, MAX_JSON_BYTES } from '#shared/contact-request.ts'
import { type LeadSource, sourceField } from '#shared/lead-source.ts'
import type { ProblemDetails } from '#shared/problem.ts'
import { parseRetryAfterMs, retryDelayMs } from './retry-delay.ts'

const MAX_RETRIES = 3
const ATTEMPT_TIMEOUT_MS = 10_000
const TOTAL_TIMEOUT_MS = 30_000
// If a response with status 429 doesn't say how long to wait.
const BUSY_MS = 60_000

const transientStatuses = new Set([502, 503, 504])

/** What became of a request. */
export type SendOutcome =
  /**
   * `receivedAt`: by the server's clock; undefined if the server had already received an earlier
   * attempt.
   */
  | { isSent: true; reference: string | undefined; receivedAt: Date | undefined }
  | {
      isSent: false
      detail: string | undefined
      errors: NonNullable<ProblemDetails['errors']>
      isConflict: boolean
      /** When the page sends the request again, if the server has received too many. */
      retryAt?: Date
    }

/**
 * Sends a request. Repeats it until the response is final, it has been retried `MAX_RETRIES` times,
 * or time runs out. Throws only if the browser lacks an API, before anything is sent.
 */
export async function sendContact(
  request: Record<string, string>,
  idempotencyKey: string,
  source?: LeadSource,
): Promise<SendOutcome> {
  const init = {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'Idempotency-Key': idempotencyKey },
    body: toBody(request, source),
  }
  let leftMs = TOTAL_TIMEOUT_MS
  for (let retries = 0; ; retries++) {
    const startedAt = Date.now()
    const timeoutMs = Math.min(ATTEMPT_TIMEOUT_MS, leftMs)
    const { outcome, retry, retryAfterMs } = await attempt(init, timeoutMs)
    const delayMs = retryDelayMs(retries, Math.random(), retryAfterMs)
    // A device that slept meanwhile tries again: the server may have the request.
    leftMs -= Math.min(Date.now() - startedAt, timeoutMs) + delayMs
    if (!retry || retries === MAX_RETRIES || leftMs <= 0) return outcome
    await new Promise((done) => setTimeout(done, delayMs))
  }
}

async function attempt(init: RequestInit, timeoutMs: number) {
  // Not `AbortSignal.timeout`, which Safari 15.4 lacks.
  const controller = new AbortController()
  setTimeout(() => controller.abort(), timeoutMs)
  // Not in the `try`: this throws only if the browser lacks an API.
  const request = fetch(contactPath, { ...init, signal: controller.signal })
  try {
    const response = await request
    const retryAfterMs = parseRetryAfterMs(response.headers.get('Retry-After'), Date.now())
    const retry = transientStatuses.has(response.status)
    const isBusy = response.status === 429
    const outcome = {
      ...(await readOutcome(response)),
      ...(isBusy && { retryAt: new Date(Date.now() + (retryAfterMs || BUSY_MS)) }),
    }
    return { outcome, retry, retryAfterMs }
  } catch {
    // No network, no server, or a timeout.
    return { outcome: unreachable, retry: true, retryAfterMs: 0 }
  }
}

/** Leaves out the source if the server would reject the request as too large because of it. */
function toBody(request: Record<string, string>, source: LeadSource | undefined): string {
  const body = JSON.stringify({ ...request, [sourceField]: source })
  return new TextEncoder().encode(body).length > MAX_JSON_BYTES ? JSON.stringify(request) : body
}

const unreachable: SendOutcome = { isSent: false, detail: undefined, errors: [], isConflict: false }

async function readOutcome(response: Response): Promise<SendOutcome> {
  const type = response.headers.get('Content-Type') ?? ''
  const body: unknown = type.includes('json') ? await response.json() : undefined
  const { success: isSent, reference } = Object(body) as { success?: true; reference?: string }
  // Anything else, such as an empty page, comes from something between the browser and the server.
  if (response.ok && isSent) {
    const date = response.headers.has('Idempotency-Replayed') ? null : response.headers.get('Date')
    return { isSent, reference, receivedAt: date === null ? undefined : new Date(date) }
  }
  const problem = body as Partial<ProblemDetails> | undefined
  const isConflict = response.status === 422
  return { isSent: false, detail: problem?.detail, errors: problem?.errors ?? [], isConflict }
}
