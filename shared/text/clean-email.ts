import * as z from 'zod/mini'

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

/**
 * An address as it is stored and compared: in lower case, its domain in Punycode and without a dot
 * at the end. Only letters of ASCII become lower case, as in the databases.
 */
export function comparable(address: string): string {
  const at = address.lastIndexOf('@')
  const domain = toPunycode(address.slice(at + 1).replace(/\.$/, ''))
  const whole = at < 0 ? address : `${address.slice(0, at)}@${domain}`
  return whole.normalize('NFC').replace(/[A-Z]+/g, (letters) => letters.toLowerCase())
}

// Browsers and Node.js have it.
declare const URL: new (url: string) => { hostname: string }

function toPunycode(domain: string): string {
  // Without a letter of another script, there's nothing to convert. Other ASCII characters would
  // end the domain in a URL.
  if (!/^[^\0-,/:-@[-`{-\x7f]*[^\0-\x7f][^\0-,/:-@[-`{-\x7f]*$/.test(domain)) return domain
  try {
    return new URL(`http://${domain}`).hostname
  } catch {
    return domain
  }
}
