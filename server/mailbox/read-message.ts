import { createHash } from 'node:crypto'
import { htmlToText } from 'html-to-text'
import type { MessageStructureObject } from 'imapflow'
import PostalMime, { type Address, type Attachment, type Email } from 'postal-mime'
import { cleanLine, cleanText } from '#shared/invisible-characters.ts'
import { foldQuotes } from './fold-quotes.ts'

/** The beginning of a message that is read. Text comes first, so what is cut off are attachments. */
export const MAX_BYTES = 128_000
const MAX_TEXT = 20_000
/** What stands for the text of a message that takes too long to read. */
export const UNREADABLE = 'This message cannot be shown here. You find it in your mailbox.'
// A long conversation names many earlier messages; the last ones say what it belongs to.
const MAX_IDS = 50
const MAX_FILES = 50
const MAX_NAME = 100
const MAX_ADDRESS = 300

/** What a mail server reports about an email that it could not deliver (RFC 3464). */
export type Bounce = {
  /** The Message-ID and the subject of the email, as its receiver got them. */
  messageId: string
  subject: string
  recipient: string
  status: string
  reason: string
}

/** A message in the mailbox, as far as it matters for a lead. */
export type Message = {
  messageId: string
  from: string
  /** The addresses in To and Cc. */
  to: string[]
  subject: string
  /** The Message-IDs that it answers, the closest first. */
  answers: string[]
  /** What the sender wrote, and what is quoted below. */
  written: string
  quoted: string
  /** The names and sizes of the files. They stay in the mailbox. */
  attachments: string[]
  /** Written by a program, such as a vacation notice. */
  isAutomatic: boolean
  bounce: Bounce | undefined
}

/**
 * Reads the source of a message, or its beginning, and the server's list of its parts. Without a usable Message-ID, its
 * beginning identifies it. Takes long for hostile messages: see `openReader`.
 */
export async function readMessage(source: Buffer, structure?: MessageStructureObject): Promise<Message> {
  const email = await PostalMime.parse(source, {
    rfc822Attachments: true,
    forceRfc822Attachments: true,
    attachmentEncoding: 'arraybuffer',
    maxNestingDepth: 20,
  })
  const header = (name: string) => email.headers.find(({ key }) => key === name)?.value ?? ''
  const { written, quoted } = foldQuotes(
    cleanText(textOf(email))
      .slice(0, MAX_TEXT)
      .replace(/\n{3,}/g, '\n\n'),
  )
  const isReport = /^multipart\/report/i.test(header('content-type'))
  return {
    messageId: messageIdIn(email) ?? messageIdOf(source),
    from: cleanLine(addressesIn([email.from]).join()).slice(0, MAX_ADDRESS),
    to: addressesIn([...(email.to ?? []), ...(email.cc ?? [])]),
    subject: cleanText(email.subject ?? ''),
    answers: idsIn(`${email.references ?? ''} ${email.inReplyTo ?? ''}`)
      .toReversed()
      .slice(0, MAX_IDS),
    written,
    quoted,
    attachments: structure ? filesIn(structure).slice(0, MAX_FILES) : [],
    isAutomatic:
      isReport ||
      /^auto-/i.test(header('auto-submitted')) ||
      // Not `list`: a group that stands for an address, such as a Google Group, marks each message like that.
      /^(?:bulk|junk|auto_reply)$/i.test(header('precedence').trim()) ||
      header('x-autoreply') !== '' ||
      header('return-path').trim() === '<>',
    bounce: isReport ? await bounceIn(email.attachments) : undefined,
  }
}

// Answers to the visitor repeat it in their headers.
const messageIdIn = ({ messageId = '' }: Email) =>
  /^<[\x21-\x3b=\x3f-\x7e]{1,500}>$/.exec(messageId.trim())?.[0]

const messageIdOf = (source: Buffer) =>
  `<${createHash('sha256').update(source.subarray(0, 4_000)).digest('hex')}@no-message-id.invalid>`

/** The Message-IDs in a header. */
export const idsIn = (text: string): string[] => text.match(/<[^<>\s\0]{3,500}>/g) ?? []

const addressesIn = (addresses: readonly (Address | undefined)[]): string[] =>
  addresses
    .flatMap((one) => (one?.group ? one.group : one))
    .flatMap((one) => (one?.address ? [one.address.toLowerCase()] : []))

/** The text, or else what the HTML says, with `>` before quoted lines. */
function textOf({ text, html }: Email): string {
  if (text?.trim() || !html) return text ?? ''
  return htmlToText(html, {
    wordwrap: false,
    selectors: [
      { selector: 'a', options: { ignoreHref: true } },
      { selector: 'img', format: 'skip' },
      // Outlook separates the quoted message by a border.
      { selector: 'div#divRplyFwdMsg', format: 'block', options: { leadingLineBreaks: 2 } },
    ],
    limits: { maxInputLength: MAX_BYTES, maxDepth: 100 },
  })
}

/** The files in a message, with their sizes. Leaves out pictures within the text, such as the logo of a signature. */
function filesIn(part: MessageStructureObject, isWithinText = false): string[] {
  const { type, childNodes, size = 0, encoding, parameters, disposition, dispositionParameters } = part
  if (childNodes && type.startsWith('multipart/'))
    return childNodes.flatMap((child) => filesIn(child, type === 'multipart/related'))
  const name = dispositionParameters?.filename ?? parameters?.name
  const isText = /^(?:text|message)\//.test(type) && name === undefined
  if (disposition !== 'attachment' && (isWithinText || isText)) return []
  // Base64 writes three bytes as four.
  const kilobytes = Math.ceil((encoding === 'base64' ? size * 0.75 : size) / 1_000)
  const inWords = kilobytes < 1_000 ? `${kilobytes} kB` : `${(kilobytes / 1_000).toFixed(1)} MB`
  return [`${cleanLine(name ?? 'unnamed file').slice(0, MAX_NAME)} (${inWords})`]
}

/** Reads what could not be delivered. Undefined for other reports, such as one that an email was read or is late. */
async function bounceIn(attachments: readonly Attachment[]): Promise<Bounce | undefined> {
  const part = (type: RegExp) => {
    const found = attachments.find(({ mimeType }) => type.test(mimeType))
    return found ? new TextDecoder().decode(found.content as ArrayBuffer) : ''
  }
  const report = part(/^message\/delivery-status$/)
  /** A field on one line, without its type, such as `smtp;`. */
  const field = (name: string) => {
    const [, value = ''] = new RegExp(`^${name}:\\s*(?:[\\w-]+;)?(.*(?:\\n\\s.*)*)`, 'im').exec(report) ?? []
    return value.replace(/\s+/g, ' ').trim()
  }
  if (field('Action').toLowerCase() !== 'failed') return undefined
  const original = await PostalMime.parse(part(/^(?:message\/rfc822|text\/rfc822-headers|message\/global)/))
  return {
    messageId: idsIn(original.messageId ?? '')[0] ?? '',
    subject: original.subject ?? '',
    recipient: field('Final-Recipient').toLowerCase(),
    status: cleanLine(field('Status')).slice(0, 20),
    reason: cleanText(field('Diagnostic-Code')).slice(0, 300),
  }
}
