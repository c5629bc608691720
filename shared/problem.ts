import type { LeadStatus } from './inbox/lead.ts'

/** The body of every error response (RFC 9457); `errors` lists invalid fields. */
export type ProblemDetails = {
  type: string
  title: string
  status: number
  detail: string
  errors?: { field: string; message: string }[]
  /** Only with a 409: the state of the lead, which somebody else has changed. */
  current?: LeadStatus
  /** Only with a 409: this owner's draft, which another device has changed. */
  draft?: string
}

export const problemContentType = 'application/problem+json'
