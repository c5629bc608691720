/** The body of an error response in JSON (RFC 9457). `errors` lists the invalid fields. */
export type ProblemDetails = {
  type: string
  title: string
  status: number
  detail: string
  errors?: { field: string; message: string }[]
  /**
   * Only in a 409 response about a lead: its current state and version, a `LeadStatus` of the
   * inbox.
   */
  current?: { state: string; version: number }
  /**
   * Only in a 409 response about a draft: the stored draft, which the owner has changed on another
   * device.
   */
  draft?: string
}

export const problemContentType = 'application/problem+json'
