import { randomUUID } from 'node:crypto'
import { sampleRequest } from '../testing/sample-request.ts'

let visitors = 0

/** A quote request that differs from all others, from a different visitor each time. */
export const samplePost = () => ({
  headers: { 'content-type': 'application/json', 'x-forwarded-for': newAddress() },
  // The messages differ from the first letter on, as real messages do.
  body: JSON.stringify(sampleRequest({ message: `${randomUUID()} is what we would like to build.` })),
})

/** An address that no earlier request came from. */
export function newAddress(): string {
  visitors++
  return `10.${(visitors >> 16) & 255}.${(visitors >> 8) & 255}.${visitors & 255}`
}
