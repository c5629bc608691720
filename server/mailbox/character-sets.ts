import { isUtf8 } from 'node:buffer'
import iconv from 'iconv-lite'
import type { Email } from 'postal-mime'

// The parser decodes what it doesn't know as windows-1252. Each letter is a byte there, so the
// bytes can be had back.
const UNKNOWN = '; charset=unknown-8bit'

const allBytes = Uint8Array.from({ length: 256 }, (_each, byte) => byte)
/** The byte of each letter, if a character set that the parser knows has one for each. */
function bytesIn(charset: string): Map<string, number> {
  const letters = [...new TextDecoder(charset).decode(allBytes)]
  return new Map(letters.length === 256 ? letters.map((letter, byte) => [letter, byte]) : [])
}
const windows1252 = bytesIn('windows-1252')
const eucKr = new TextDecoder('euc-kr')

/** Whether most letters of a message are lost, because it isn't the UTF-8 that it claims to be. */
export function isLost({ text = '', html = '' }: Email): boolean {
  const letters = `${text}${html}`.match(/[^\0-\x7f]/g) ?? []
  const lost = letters.filter((letter) => letter === '\ufffd').length
  return 2 * lost > letters.length
}

/** A message's source that names an unknown character set where it named none, or UTF-8. */
export function withoutUtf8(source: Buffer): Buffer {
  const text = source.toString('latin1')
  const named = text.replace(
    /^content-type:[ \t]*text\/(?:plain|html)\b(?!(?:[^\r\n]|\r?\n[ \t])*charset[ \t]*=[ \t]*"?(?!utf-?8))/gim,
    `$&${UNKNOWN}`,
  )
  const hasType = /^(?:[^\r\n]+\r?\n)*?content-type:/i.test(text)
  return Buffer.from(hasType ? named : `Content-Type: text/plain${UNKNOWN}\r\n${named}`, 'latin1')
}

/**
 * Decodes the texts of a message again which its parser could not decode: as UTF-8 if that fits, as
 * the character set that is named for them, or as the one that the HTML names.
 */
export function decodeAgain({ text, html, ...email }: Email, source: Buffer): Email {
  return {
    ...email,
    ...(text && { text: decode(text, namedIn(source, 'plain'), html) }),
    ...(html && { html: decode(html, namedIn(source, 'html'), html) }),
  }
}

/** The character set that is named for a text. */
function namedIn(source: Buffer, type: 'plain' | 'html'): string {
  const field = new RegExp(
    `^content-type:[ \\t]*text/${type}\\b(?:[^\\r\\n]|\\r?\\n[ \\t])*?\\bcharset[ \\t]*=[ \\t]*"?([\\w.:-]+)`,
    'im',
  )
  return field.exec(source.toString('latin1'))?.[1] ?? 'utf-8'
}

/** The character set of a text, if its parser has not decoded it. */
function charsetOf(named: string, html: string): string | undefined {
  if (!/ascii|unknown/i.test(named)) return isKnown(named) ? undefined : named
  const [, inHtml] =
    /<meta\b[^>]{0,200}\bcharset\s*=\s*["']?(?!utf-(?:8|16)|unicode|iso-8859-1\b)([\w.:-]+)/i.exec(html) ?? []
  return inHtml
}

/** Whether the parser knows a character set. */
function isKnown(charset: string): boolean {
  try {
    return Boolean(new TextDecoder(charset))
  } catch {
    return false
  }
}

type Decode = (bytes: Buffer) => string | undefined

/**
 * Line by line, because the parts of a message are joined. Most lines tell whether a text is UTF-8.
 */
function decode(text: string, named: string, html = ''): string {
  const lines = text.split('\n')
  const foreign = lines.filter((line) => /[^\0-\x7f]/.test(line))
  const isUtf8In = (byteOf: Map<string, number>) =>
    2 * foreign.filter((line) => decodeLine(line, strictUtf8, byteOf) !== undefined).length > foreign.length
  const tables = [windows1252, ...(isKnown(named) ? [bytesIn(named)] : [])]
  const byteOf = tables.find(isUtf8In)
  const charset = charsetOf(named, html)
  const found = byteOf ? strictUtf8 : charset && functionFor(charset)
  const read = found ? lines.map((line) => decodeLine(line, found, byteOf) ?? line) : lines
  return read.join('\n').replaceAll(UNKNOWN, '')
}

function decodeLine(line: string, decodeBytes: Decode, byteOf = windows1252): string | undefined {
  const bytes = [...line].map((letter) => byteOf.get(letter) ?? -1)
  return bytes.includes(-1) ? undefined : decodeBytes(Buffer.from(bytes))
}

const strictUtf8: Decode = (bytes) => (isUtf8(bytes) ? bytes.toString() : undefined)

function functionFor(charset: string): Decode | undefined {
  if (/^(?:cs)?iso-?2022-?kr$/i.test(charset)) return fromIso2022Kr
  return iconv.encodingExists(charset) ? (bytes) => iconv.decode(bytes, charset) : undefined
}

/** Two characters shift to EUC-KR, of which each first bit is left out, and back (RFC 1557). */
function fromIso2022Kr(bytes: Buffer): string {
  let bit = 0
  const shifted = bytes.map((byte) => {
    if (byte === SHIFT_OUT) bit = 0x80
    if (byte === SHIFT_IN) bit = 0
    return byte > SPACE ? byte | bit : byte
  })
  return eucKr.decode(shifted).replace('\x1b$)C', '')
}

const SHIFT_OUT = 14
const SHIFT_IN = 15
const SPACE = 32
