import { brand } from '#shared/business.ts'
import { contactFieldNames, contactFields } from '#shared/contact-request.ts'
import type { FormValues } from './form-values.ts'

// Chromium on Windows silently ignores URLs over 2,048 characters. This leaves room for the notice.
const MAX_URL_BEFORE_NOTICE = 1930
const NOTICE = encodeURIComponent('\r\n[The rest did not fit: please add it.]')

/** The entries as text for an email. */
export function writeRequest(values: FormValues): string {
  const filled = contactFieldNames.filter((field) => values[field].trim())
  return filled.map((field) => `${contactFields[field].label}: ${values[field]}`).join('\n')
}

/** A `mailto:` link with the entries, cut to a length that works everywhere. */
export function mailtoRequest(values: FormValues): string {
  const start = `mailto:${brand.email}?subject=${encodeURIComponent('Quote request')}&body=`
  // Split by code point, so that no surrogate pair is cut in half.
  const characters = Array.from(
    writeRequest(values).replace(/\n/g, '\r\n').toWellFormed(),
    encodeURIComponent,
  )
  let url = start
  for (const character of characters) {
    if (url.length + character.length > MAX_URL_BEFORE_NOTICE) return url + NOTICE
    url += character
  }
  return url
}
