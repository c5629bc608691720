import type { LeadStatus } from './inbox/lead.ts'

/** The body of every error response (RFC 9457); `errors` lists invalid fields. */
export type ProblemDetails = {
  type: string
  title: string
  status: number
  detail: string
  errors?: { field: string; message: string }[]
  /** Only with a 409 about a lead: its current state and version. */
  current?: LeadStatus
  /** Only with a 409 about a draft: the stored draft, which the owner has changed on another device. */
  draft?: string
}

export const problemContentType = 'application/problem+json'
