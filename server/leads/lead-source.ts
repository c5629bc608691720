import type { IncomingMessage } from 'node:http'
import type { LeadSource } from '#shared/inbox/lead.ts'
import { cleanSource, sourceField } from '#shared/lead-source.ts'

/** Reads a stored source. Returns an empty one if it is invalid, so that the lead stays readable. */
export function parseSource(stored: string): LeadSource {
  try {
    return cleanSource(JSON.parse(stored))
  } catch {
    return {}
  }
}

/**
 * Where a visitor came from: what the page recorded or, without JavaScript, what the `Referer` header says. If a form is
 * rejected without JavaScript, the server shows it again with a hidden field that contains the source as JSON text.
 */
export function readSource(body: unknown, { headers }: IncomingMessage, siteUrl: string): LeadSource {
  const recorded: unknown = Object(body)[sourceField]
  if (typeof recorded === 'string') return parseSource(recorded)
  return recorded === undefined ? sourceOfReferer(headers, siteUrl) : cleanSource(recorded)
}

/** If the form is on our own page, the query in `Referer` names the campaign. Another website sends only its origin. */
function sourceOfReferer({ referer = '', host }: IncomingMessage['headers'], siteUrl: string): LeadSource {
  const from = URL.parse(referer)
  if (!from) return {}
  const isOwn = from.host === host || from.origin === siteUrl
  return cleanSource(
    isOwn ? { parameters: Object.fromEntries(from.searchParams) } : { referrer: from.hostname },
  )
}
