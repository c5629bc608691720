import { type Address, addressParser } from 'postal-mime'
import { comparable } from '#shared/text/comparable-address.ts'

// SMTP allows no more (RFC 5321, 4.5.3.1.3).
const MAX_ADDRESS = 254
// Of a From header, and of another text. An honest one is far shorter.
const MAX_FROM = 1_000
const MAX_TEXT = 10_000
// Joiners and variation selectors are invisible in an address, too.
const hidden = /[\p{Default_Ignorable_Code_Point}\p{Cc}\p{Cf}]/u
// A forger can put a letter that looks the same into somebody else's address.
const mixed = /^(?=[^@]*\p{Script=Latin})[^@]*[\p{Script=Cyrillic}\p{Script=Greek}]/u
// Without what could mean a second address, or end the first one, in another program.
const plainAddress = /^[^\s"(),:;<>@[\\\]]{1,64}@[^\s"(),:;<>@[\\\]]{1,190}$/
const inText = /[^\s"(),:;<>@[\\\]]{1,64}@[^\s"(),:;<>@[\\\]]{1,190}/g

/** The user of IMAP_URL: mostly the mailbox's own address, of which MAIL_FROM may be an alias. */
export const userOf = (imapUrl = ''): string =>
  decodeURIComponent(URL.parse(imapUrl)?.username ?? '').toLowerCase()

/** The addresses in a parsed header, in lower case, each once, at most `limit`. */
export const addressesIn = (parsed: readonly (Address | undefined)[], limit: number): string[] =>
  normalize(
    parsed.flatMap((one) => (one?.group ? one.group : one)).map((one) => one?.address ?? ''),
    limit,
  )

/** The addresses in a text, in lower case, each once, at most `limit`. */
export const addressesInText = (text: string, limit: number): string[] =>
  normalize(text.slice(0, MAX_TEXT).match(inText) ?? [], limit)

/**
 * The address of the sender in the From headers, in lower case. Nothing unless they name one
 * address alone, with or without a name: programs disagree about which of several counts, and about
 * groups and comments within an address, so a forger could show each program another one.
 */
export function senderIn(headers: readonly string[]): string {
  const [header = '', ...others] = headers
  if (others.length > 0 || header.length > MAX_FROM || hasControl.test(header)) return ''
  const text = withoutName(header).trim()
  const [sender = ''] = addressesIn(addressParser(header), 1)
  const named = addressesInText(text, 2)
  const isAlone = named.length === 1 && named[0] === sender && !/[:;(]/.test(text)
  return isAlone && text.split('@').length - 1 === (text.match(inText) ?? []).length ? sender : ''
}

const hasControl = /(?![\t\r\n])\p{Cc}/u

/**
 * A header without a quoted name, which may contain anything, and without comments in a name or at
 * its end.
 */
const withoutName = (header: string): string =>
  header
    .replace(/^\s*"(?:[^"\\]|\\.)*"\s*(?=<)/, '')
    .replace(/\([^()<>@]*\)(?=[^<>@]*<)|\s\([^()@]*\)\s*$/g, '')

function normalize(addresses: readonly string[], limit: number): string[] {
  const plain = addresses.filter(
    (address) =>
      address.length <= MAX_ADDRESS &&
      plainAddress.test(address) &&
      !hidden.test(address) &&
      !mixed.test(address),
  )
  return [...new Set(plain.map(comparable))].slice(0, limit)
}
