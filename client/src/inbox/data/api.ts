import { apiPath } from '#shared/inbox/api.ts'
import { IN_USE, PAGE_OF } from '#shared/inbox/headers.ts'
import { type LeadStatus, leadStatus } from '#shared/inbox/lead-changes.ts'
import { parseRetryAfterMs } from '../../contact/retry-delay.ts'

const TIMEOUT_MS = 10_000
const unreachable = 'The server cannot be reached. Please check your connection.'
/** From a proxy: our server explains itself. */
const tooLarge = 'A proxy in front of the server does not accept files of this size.'
const outdated = 'This page is out of date. Please reload it.'

export type ResponseSchema<Output> = { parse: (value: unknown) => Output }

/** The schema of responses whose content isn't used. */
export const anything: ResponseSchema<unknown> = { parse: (value) => value }

type CallOptions = {
  method?: 'GET' | 'POST' | 'PUT' | 'DELETE'
  body?: object
  /** Whether the request outlives the page. */
  keepalive?: boolean
  timeoutMs?: number
  /** Cancels the request. */
  controller?: AbortController
  send?: typeof fetch
}

/**
 * Thrown for a response that isn't 2xx, or if there is no valid
 * response (`status` 0). `message` is shown to the owner.
 */
export class ApiError extends Error {
  override name = 'ApiError'
  readonly status: number
  /** On 409: the lead's current state and version. */
  current?: LeadStatus
  /** On 409: the draft that another device has saved. */
  draft?: string
  retryAfterMs = 0

  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }

  /** Whether the same request may succeed in a moment. */
  get isTransient(): boolean {
    return this.status === 0 || this.status >= 500
  }
}

let pageOf: Record<string, string> = {}

/**
 * Call this with the first owner for whom the page shows the inbox.
 * If another one signs in, it loads again.
 */
export const setPageOwner = (owner: string): void => {
  pageOf = { [PAGE_OF]: encodeURIComponent(owner) }
}

let announceSignedOut = () => {}

/** Calls the listener after every response that says nobody is signed in. */
export const onSignedOut = (listener: () => void): void => {
  announceSignedOut = listener
}

/**
 * Calls a path below `/api` ("/leads?view=open") and validates the
 * response. Throws only `ApiError`.
 */
export async function callApi<Output>(
  path: string,
  schema: ResponseSchema<Output>,
  options: CallOptions = {},
): Promise<Output> {
  const { response, body } = await request(apiPath + path, options)
  noteServerTime(response.headers.get('Date'))
  if (!response.ok) throw toError(response, body)
  try {
    return schema.parse(body)
  } catch {
    throw new ApiError(0, outdated)
  }
}

/** Posts JSON to a path below `/api`, as `callApi` does. */
export const post = <Output>(
  path: string,
  schema: ResponseSchema<Output>,
  body: object = {},
): Promise<Output> => callApi(path, schema, { method: 'POST', body })

/**
 * Downloads a file from a path below `/api`, without a timeout. Throws only `ApiError`.
 * `onProgress` gets the number of bytes that have arrived.
 */
export async function downloadFile(path: string, onProgress?: (received: number) => void): Promise<File> {
  let received = 0
  const counted = new TransformStream<Uint8Array<ArrayBuffer>>({
    transform(chunk, controller) {
      received += chunk.length
      onProgress?.(received)
      controller.enqueue(chunk)
    },
  })
  try {
    const response = await fetch(apiPath + path)
    if (!response.ok) throw toError(response, await readJson(response))
    const disposition = response.headers.get('Content-Disposition')
    // A captive portal's page is no file.
    if (!disposition) throw new ApiError(0, unreachable)
    const [, name = 'leads'] = /filename="(.+)"/.exec(disposition) ?? []
    const type = response.headers.get('Content-Type') ?? ''
    return new File([await new Response(response.body?.pipeThrough(counted)).blob()], name, { type })
  } catch (error) {
    throw error instanceof ApiError ? error : new ApiError(0, unreachable)
  }
}

// A file's temporary URL is revoked after this long. The browser needs it until the file is saved.
const ADDRESS_MS = 60_000

/** Lets the browser save a file. */
export function saveFile(file: Blob, name: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(file)
  link.download = name
  link.click()
  setTimeout(URL.revokeObjectURL, ADDRESS_MS, link.href)
}

async function request(address: string, options: CallOptions) {
  const { method = 'GET', body = {}, keepalive = false, timeoutMs = TIMEOUT_MS, send = fetch } = options
  const { controller = new AbortController() } = options
  const timer = setTimeout(() => controller.abort(), timeoutMs)
  try {
    const early = method === 'GET' && takeEarly(address)
    const timeout = new Promise<never>((_, reject) => controller.signal.addEventListener('abort', reject))
    const content =
      method === 'GET'
        ? { headers: inUse() }
        : {
            headers: { 'Content-Type': 'application/json', ...pageOf, ...inUse() },
            body: JSON.stringify(body),
          }
    const sent = early || send(address, { method, keepalive, signal: controller.signal, ...content })
    // The early request can't be aborted.
    const response = await Promise.race([sent, timeout])
    return { response, body: await Promise.race([readJson(response), timeout]) }
  } catch {
    throw new ApiError(0, unreachable)
  } finally {
    clearTimeout(timer)
  }
}

/**
 * Takes the request to this address that first-script.ts sent before
 * the application loaded, if there is one.
 */
function takeEarly(address: string): Promise<Response> | undefined {
  const early = globalThis.earlyRequests?.get(address)
  globalThis.earlyRequests?.delete(address)
  return early
}

/**
 * Throws if a successful response isn't JSON: it comes from something
 * like a captive portal, not from the server, which sends 204 for nothing.
 */
async function readJson(response: Response): Promise<unknown> {
  const text = await response.text()
  if (response.ok) return response.status === 204 ? undefined : JSON.parse(text)
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function toError(response: Response, body: unknown): ApiError {
  if (response.status === 401) {
    // The other early requests were refused, too.
    globalThis.earlyRequests?.clear()
    announceSignedOut()
  }
  const { detail, current, draft } = Object(body)
  const parsed = leadStatus.safeParse(current)
  const unexplained = response.status === 413 ? tooLarge : unreachable
  const error = new ApiError(response.status, typeof detail === 'string' ? detail : unexplained)
  if (parsed.success) error.current = parsed.data
  if (typeof draft === 'string') error.draft = draft
  error.retryAfterMs = parseRetryAfterMs(response.headers.get('Retry-After'), Date.now())
  return error
}

// Longer than SESSION_CHECK_MS, so that each use is reported by at least one request.
const REPORTED_MS = 60_000
const signsOfUse = ['pointerdown', 'click', 'keydown', 'wheel', 'visibilitychange']

// Opening the page counts as use.
let usedAt = Date.now()

/** From now on, records when the owner last used the page. */
export function watchUse(): void {
  const note = () => {
    if (document.visibilityState === 'visible') usedAt = Date.now()
  }
  for (const sign of signsOfUse) document.addEventListener(sign, note, { capture: true, passive: true })
}

/**
 * The header for a request, if the owner has just used the page. Only
 * requests with this header extend the session.
 */
const inUse = (): Record<string, string> => (Date.now() - usedAt < REPORTED_MS ? { [IN_USE]: '1' } : {})

// Smaller differences are ignored: the `Date` header has whole
// seconds, and the response takes time to arrive.
const TOLERANCE_MS = 2_000

let offsetMs = 0

/** Compares the device's clock with the server's, given the `Date` header of a response. */
function noteServerTime(date: string | null): void {
  const measured = Date.parse(date ?? '') - Date.now()
  if (!Number.isNaN(measured)) offsetMs = Math.abs(measured) > TOLERANCE_MS ? measured : 0
}

/**
 * Milliseconds since 1970 by the server's clock. A phone's clock may
 * be off, and the undo period is only 15 s.
 */
export const serverNow = (): number => Date.now() + offsetMs
