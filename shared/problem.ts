import type { FieldError } from './contact-request.ts'

/** The body of every error response (RFC 9457); `errors` lists invalid fields. */
export type ProblemDetails = {
  type: string
  title: string
  status: number
  detail: string
  errors?: FieldError[]
}

export const problemContentType = 'application/problem+json'
