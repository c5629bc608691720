import { apiPath } from '#shared/inbox/api.ts'
import { type LeadStatus, leadStatus } from '#shared/inbox/lead.ts'
import { parseRetryAfterMs } from '../../contact/retry-delay.ts'
import { takeEarly } from '../early-requests.ts'
import { inUse } from './in-use.ts'
import { noteServerTime } from './server-clock.ts'

const TIMEOUT_MS = 10_000
const unreachable = 'The server cannot be reached. Please check your connection.'
const outdated = 'This page is out of date. Please reload it.'

type Schema<Output> = { parse: (value: unknown) => Output }

/** The schema of responses whose content isn't used. */
export const anything: Schema<unknown> = { parse: (value) => value }

export type CallOptions = {
  method?: 'GET' | 'POST' | 'PUT' | 'DELETE'
  body?: object
  signal?: AbortSignal
  /** Whether the request outlives the page. */
  keepalive?: boolean
  timeoutMs?: number
}

/** Thrown for a response that isn't 2xx, or if there is no valid response (`status` 0). `message` is shown to the owner. */
export class ApiError extends Error {
  override name = 'ApiError'
  readonly status: number
  /** On 409: the lead's current state and version. */
  readonly current: LeadStatus | undefined
  /** On 409: the draft that another device has saved. */
  readonly draft: string | undefined
  readonly retryAfterMs: number

  constructor(
    status: number,
    message: string,
    more: Partial<Pick<ApiError, 'current' | 'draft' | 'retryAfterMs'>> = {},
  ) {
    super(message)
    this.status = status
    this.current = more.current
    this.draft = more.draft
    this.retryAfterMs = more.retryAfterMs ?? 0
  }

  /** Whether the same request may succeed in a moment. */
  get isTransient(): boolean {
    return this.status === 0 || this.status >= 500
  }

  /** Whether the action needs a sign-in no older than `FRESH_MINUTES`. */
  get needsFreshSignIn(): boolean {
    return this.status === 403
  }
}

let announceSignedOut = () => {}

/** Calls the listener after every response that says nobody is signed in. */
export const onSignedOut = (listener: () => void): void => {
  announceSignedOut = listener
}

/** Calls a path below `/api` ("/leads?view=open") and validates the response. Throws only `ApiError`. */
export async function callApi<Output>(
  path: string,
  schema: Schema<Output>,
  options: CallOptions = {},
): Promise<Output> {
  const { response, body } = await request(path, options)
  noteServerTime(response.headers.get('Date'))
  if (response.status === 401) announceSignedOut()
  if (!response.ok) throw toError(response, body)
  try {
    return schema.parse(body)
  } catch {
    throw new ApiError(0, outdated)
  }
}

/** Downloads a file from a path below `/api`, without a timeout. Throws only `ApiError`. */
export async function downloadFile(path: string): Promise<File> {
  try {
    const response = await fetch(apiPath + path)
    if (response.status === 401) announceSignedOut()
    if (!response.ok) throw toError(response, await readJson(response))
    const [, name = 'leads'] = /filename="(.+)"/.exec(response.headers.get('Content-Disposition') ?? '') ?? []
    return new File([await response.blob()], name)
  } catch (error) {
    throw error instanceof ApiError ? error : new ApiError(0, unreachable)
  }
}

async function request(path: string, options: CallOptions) {
  const { method = 'GET', body, signal, keepalive = false, timeoutMs = TIMEOUT_MS } = options
  const controller = new AbortController()
  const abort = () => controller.abort()
  const timer = setTimeout(abort, timeoutMs)
  signal?.addEventListener('abort', abort)
  try {
    const early = method === 'GET' ? takeEarly(apiPath + path) : undefined
    const response = await (early ??
      fetch(apiPath + path, {
        method,
        keepalive,
        signal: controller.signal,
        ...(method === 'GET'
          ? { headers: inUse() }
          : {
              headers: {
                'Content-Type': 'application/json',
                ...inUse(),
              },
              body: JSON.stringify(body ?? {}),
            }),
      }))
    return { response, body: await readJson(response) }
  } catch {
    throw new ApiError(0, unreachable)
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', abort)
  }
}

/** Throws if a successful response isn't JSON: it comes from something like a captive portal, not from the server. */
async function readJson(response: Response): Promise<unknown> {
  const text = await response.text()
  if (response.ok) return text && JSON.parse(text)
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function toError(response: Response, body: unknown): ApiError {
  const { detail, current, draft } = Object(body)
  const parsed = leadStatus.safeParse(current)
  return new ApiError(response.status, typeof detail === 'string' ? detail : unreachable, {
    ...(parsed.success && { current: parsed.data }),
    ...(typeof draft === 'string' && { draft }),
    retryAfterMs: parseRetryAfterMs(response.headers.get('Retry-After'), Date.now()),
  })
}
