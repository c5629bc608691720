import type { LeadSource } from '#shared/inbox/lead.ts'
import { cleanSource } from '#shared/lead-source.ts'
import { createStoredJson } from './stored-json.ts'

/** `referrer`: the URL of the page that linked to this one, or an empty string. */
type Visit = { url: string; referrer: string }

/**
 * Where the visitor came from, recorded on the first page opened in the tab. Sets no cookie. Never throws. Returns an empty
 * object if nothing is known, for example while the build prerenders the page.
 */
export function recordFirstTouch(openStorage: () => Storage, readVisit: () => Visit): LeadSource {
  const stored = createStoredJson('contact.source', openStorage)
  const earlier = stored.load()
  if (earlier) return cleanSource(earlier)
  try {
    const source = cleanSource(sourceOf(readVisit()))
    stored.save(source)
    return source
  } catch {
    return {}
  }
}

function sourceOf({ url, referrer }: Visit) {
  const page = new URL(url)
  const from = referrer ? new URL(referrer) : undefined
  const parametersOf = ({ searchParams }: URL) => ({ parameters: Object.fromEntries(searchParams) })
  // Another page of this site linked here. We know that page's parameters, but not who linked to it.
  if (from?.host === page.host) return parametersOf(from)
  return { landing: page.pathname, referrer: from?.hostname, ...parametersOf(page) }
}
