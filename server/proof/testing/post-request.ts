import { type ContactRequest, contactPath } from '#shared/contact-request.ts'
import { sampleRequest } from './sample-request.ts'

/** Posts a sample request with `changes`. Returns the status and text of the response. */
export async function postRequest(
  url: string,
  changes: Partial<ContactRequest> = {},
  headers: Record<string, string> = {},
) {
  const response = await fetch(url + contactPath, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify(sampleRequest(changes)),
  })
  return { status: response.status, text: await response.text() }
}
