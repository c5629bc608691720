import { brand } from '#shared/business.ts'
import { contactFieldNames, contactFields } from '#shared/contact-request.ts'
import type { FormValues } from './form-values.ts'

// Chromium on Windows opens no address longer than 2,048 characters, and says nothing.
const LONGEST_ADDRESS = 1930
const CUT = encodeURIComponent('\r\n[The rest did not fit: please add it.]')

/** What was typed, as a text that can be pasted into a mail. */
export function writeRequest(values: FormValues): string {
  const filled = contactFieldNames.filter((field) => values[field].trim())
  return filled.map((field) => `${contactFields[field].label}: ${values[field]}`).join('\n')
}

/** A `mailto:` link that carries what was typed, cut where mail programs would refuse it. */
export function mailtoRequest(values: FormValues): string {
  const start = `mailto:${brand.email}?subject=${encodeURIComponent('Quote request')}&body=`
  // A character that stands in two halves is cut before it, not through it.
  const characters = Array.from(
    writeRequest(values).replace(/\n/g, '\r\n').toWellFormed(),
    encodeURIComponent,
  )
  let address = start
  for (const character of characters) {
    if (address.length + character.length > LONGEST_ADDRESS) return address + CUT
    address += character
  }
  return address
}
