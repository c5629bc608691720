/** What is wrong with one field of a request, in a sentence for the visitor. */
export type FieldError = { field: string; message: string }

/** The shape of every error answer: RFC 9457 problem details, with `errors` where fields are at fault. */
export type ProblemDetails = {
  type: string
  title: string
  status: number
  detail: string
  errors?: FieldError[]
}

export const problemContentType = 'application/problem+json'
