import { mailCut, mailSubject } from '#brand/words/outcome.ts'
import { brand } from '#facts/brand.ts'
import { contactFieldNames, contactFields } from '#shared/contact-request.ts'
import { toWellFormed } from '#shared/invisible-characters.ts'
import type { FormValues } from './form-values.ts'

// Chromium on Windows silently ignores URLs over 2,048 characters. This limit leaves room for `NOTICE`.
const MAX_URL_BEFORE_NOTICE = 1930
const NOTICE = encodeURIComponent(`\r\n${mailCut}`)

export function formatEntries(values: FormValues): string {
  const filled = contactFieldNames.filter((field) => values[field].trim())
  return filled.map((field) => `${contactFields[field].label}: ${values[field]}`).join('\n')
}

/** A `mailto:` link with the entries, cut to a length that works in every browser. */
export function mailtoLink(values: FormValues): string {
  let url = `mailto:${brand.email}?subject=${encodeURIComponent(mailSubject)}&body=`
  // Encodes each code point separately, so that the cut below can't split a surrogate pair.
  const characters = Array.from(
    toWellFormed(formatEntries(values).replace(/\n/g, '\r\n')),
    encodeURIComponent,
  )
  for (const character of characters) {
    if (url.length + character.length > MAX_URL_BEFORE_NOTICE) return url + NOTICE
    url += character
  }
  return url
}
