import * as z from 'zod/mini'
import { toPunycode } from './comparable-address.ts'

// SMTP allows 256 octets, including the angle brackets around the address (RFC 5321, 4.5.3.1.3).
export const MAX_EMAIL = 254

// Email programs decode text such as `=?utf-8?Q?a=40b?=` (RFC 2047), and would show a different
// address.
const encodedWord = /=\?.*\?=/

/** Whether browsers accept an address. */
export const isEmail = (value: string): boolean =>
  value.length <= MAX_EMAIL && z.regexes.html5Email.test(value) && !encodedWord.test(value)

/**
 * The address in what somebody typed or pasted: "Ada <ada@example.com>", "ada＠example.com" or
 * "ada@example.com." A domain with other letters becomes Punycode. Returns the text almost
 * unchanged if it has no address, or several.
 */
export function cleanEmail(typed: string): string {
  const visible = typed.replace(/[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu, '')
  const bare = visible
    .normalize('NFKC')
    .replace(/^[^@]*<([^<>]*)>[\s,;.]*$/, '$1')
    .replace(/^\s*(?:e-?mail|mailto)\s*:/i, '')
    .replace(/^(["'([])(.*)["')\]]$/, '$2')
    .replace(/\s*@\s*/, '@')
    .trim()
  const [, name, domain] = /^([^@]*)@([^@]*?)[\s.,;:!]*$/.exec(bare) ?? []
  const address = `${name}@${toPunycode(domain ?? '')}`
  return isEmail(address) ? address : visible
}
