import type { LeadStatus } from '#shared/inbox/lead.ts'

type Schema<Output> = { parse: (value: unknown) => Output }

type CallOptions = {
  method?: 'GET' | 'POST' | 'PUT' | 'DELETE'
  body?: object
  signal?: AbortSignal
  /** The request outlives the page. */
  keepalive?: boolean
}

/** A response that is not 2xx, or none at all (`status` 0). `message` is a sentence for the owner. */
export class ApiError extends Error {
  override name = 'ApiError'
  readonly status: number
  /** On 409: what another owner made of the lead. */
  readonly current: LeadStatus | undefined

  constructor(status: number, message: string, current?: LeadStatus) {
    super(message)
    this.status = status
    this.current = current
  }

  /** The action needs a sign-in no older than `FRESH_MINUTES`. */
  get needsFreshSignIn(): boolean {
    return this.status === 403
  }
}

/** Calls an address below `/api` ("/leads?view=open") and checks the response. Throws only `ApiError`. */
export async function callApi<Output>(
  _path: string,
  _schema: Schema<Output>,
  _options: CallOptions = {},
): Promise<Output> {
  throw new Error('not built')
}
