import { createHash } from 'node:crypto'
import { type ContactRequest, contactFieldNames } from '#shared/contact-request.ts'

/** SHA-256 (hex) of the eight cleaned fields: requests with the same content have the same hash. */
export function contentHash(request: ContactRequest): string {
  const values = contactFieldNames.map((field) => request[field])
  return createHash('sha256').update(JSON.stringify(values)).digest('hex')
}
