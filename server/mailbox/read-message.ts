import { createHash } from 'node:crypto'
import PostalMime, { type Attachment, type Email, type PostalMimeOptions } from 'postal-mime'
import { cleanText } from '#shared/text/invisible-characters.ts'
import { addressesIn, addressesInText, senderIn } from './addresses.ts'
import { isOfProgram, isReplyOfProgram } from './automatic.ts'
import { boundSource, endOfHeaders, hasLostLines } from './bound-source.ts'
import { decodeAgain, isLost, withoutUtf8 } from './character-sets.ts'
import { HASHED_BYTES, MAX_BYTES, MAX_DEPTH, MAX_IDS, MAX_RECIPIENTS, MAX_SUBJECT } from './limits.ts'
import { NO_MESSAGE_ID } from './message-ids.ts'
import { type Bounce, bounceIn, headerOf, idsIn, isReport } from './read-bounce.ts'
import { readText, SKIPPED } from './read-text.ts'

/** A message in the mailbox, as far as it matters for a lead. */
export type MailMessage = {
  messageId: string
  from: string
  /** Who sent it, according to the group or forwarder that has put another address into From. */
  originals: string[]
  /** The addresses that want the answer. */
  replyTo: string[]
  /** The addresses in To, Cc and Bcc. */
  to: string[]
  subject: string
  /** The Message-IDs that it answers, the closest first. */
  answers: string[]
  /** What the sender wrote, and what is quoted in it. */
  text: string
  /** Whether words of it may be missing. */
  isCut: boolean
  /** The names and sizes of the files. They stay in the mailbox. */
  attachments: string[]
  /** Sent by a program, such as a vacation notice. */
  isAutomatic: boolean
  /**
   * If it was: the program answers by itself. Otherwise, it may pass on what a person wrote, such
   * as a ticket system.
   */
  isAutoReply: boolean
  isNewsletter: boolean
  /** The hash of the beginning of what follows the headers. Empty if only they were read. */
  bodyHash: string
  /** When the mail server got it. Unlike its date, the sender can't choose this. */
  receivedAt?: string
  bounce: Bounce | undefined
}

/**
 * Reads the source of a message, or its beginning. Without a usable Message-ID, its beginning
 * identifies it. Takes long for hostile messages: see `openReader`. The names of its files are read
 * apart: see `filesIn`.
 */
export async function readMessage(source: Buffer): Promise<MailMessage> {
  const { source: bounded, isCut } = boundSource(source)
  const email = await parse(bounded)
  const header = (name: string) => headerOf(email, name)
  const whole = readText(email)
  const bounce = await bounceIn(email, whole)
  const isReaction = email.attachments.some(({ mimeType }) => mimeType === REACTION) && isEmoji.test(whole)
  const text = isReaction ? whole.replace(/^<https:\S+>$/m, '') : whole
  const isAutoReply = isReaction || isReplyOfProgram(email.headers)
  const isMissing =
    isCut ||
    text.includes(SKIPPED) ||
    email.attachments.some(isText) ||
    hasLostLines(bounded, source.length >= MAX_BYTES)
  return {
    messageId: messageIdIn(email) ?? messageIdOf(source),
    from: senderIn(email.headers.flatMap(({ key, value }) => (key === 'from' ? value : []))),
    originals: addressesInText(`${header('x-original-from')} ${header('x-original-sender')}`, MAX_RECIPIENTS),
    replyTo: addressesIn(email.replyTo ?? [], MAX_RECIPIENTS),
    to: addressesIn([...(email.to ?? []), ...(email.cc ?? []), ...(email.bcc ?? [])], MAX_RECIPIENTS),
    subject: cleanText(email.subject ?? '').slice(0, MAX_SUBJECT),
    answers: closest(idsIn(`${email.references ?? ''} ${email.inReplyTo ?? ''}`)),
    text: cleanText(text)
      .replace(/\n{3,}/g, '\n\n')
      .trim(),
    isCut: isMissing && !isReport(email),
    attachments: [],
    isAutomatic: isAutoReply || isOfProgram(email.headers),
    isAutoReply,
    // A group has an address to post to, a newsletter doesn't.
    isNewsletter: header('list-unsubscribe') !== '' && header('list-post') === '',
    bodyHash: createHash('sha256').update(bodyOf(source)).digest('base64url'),
    bounce,
  }
}

async function parse(message: Buffer): Promise<Email> {
  const source = Buffer.from(message.toString('latin1').replace(endOfQuoted, '$&\x7f'), 'latin1')
  const parsed = await PostalMime.parse(source, PARSING)
  const named = isLost(parsed) ? withoutUtf8(source) : source
  const email = named === source ? parsed : await PostalMime.parse(named, PARSING)
  const decoded = decodeAgain(email, named)
  // Otherwise, the parser has made a text of the HTML, without its rows, links and quotations.
  const hasBothForms = /multipart\/alternative/i.test(source.toString('latin1'))
  return decoded.html && !hasBothForms ? { ...decoded, text: '' } : decoded
}

// A space there, which quoted-printable text has as `=20`, would join the line to the answer below,
// unless it's followed by a character that `cleanText` removes.
const endOfQuoted = /^>.*(?: |=20)(?=\r?\n(?!>))/gm

const PARSING: PostalMimeOptions = {
  rfc822Attachments: true,
  forceRfc822Attachments: true,
  attachmentEncoding: 'arraybuffer',
  maxNestingDepth: MAX_DEPTH,
}

/** Message-IDs, the closest first. The last one began the conversation. */
function closest(ids: readonly string[]): string[] {
  const [begin, ...later] = ids
  return [...later.toReversed().slice(0, MAX_IDS - 1), ...(begin ? [begin] : [])]
}

// Gmail writes the emoji, and below it "Ada reacted via Gmail", with a link. Other programs don't
// mark reactions.
const isEmoji = /^\s*[^\p{L}\n]{1,20}\n/u
const REACTION = 'text/vnd.google.email-reaction+json'
// S/MIME, PGP, and winmail.dat of Outlook: only an email program can show what is in them.
const sealed = /^application\/(?:(?:x-)?pkcs7-mime|pgp-encrypted|(?:vnd\.)?ms-tnef)$/
const isSealedFile = /^(?:winmail\.dat|smime\.p7m)$/i

/**
 * Whether a part may be text that is neither shown nor named as a file, or is another message. Some
 * types are none at all.
 */
const isText = ({ mimeType, filename }: Attachment) =>
  /^message\/|^text\/calendar$/.test(mimeType) ||
  sealed.test(mimeType) ||
  (filename ? isSealedFile.test(filename) : mimeType !== REACTION && !isMedia.test(mimeType))

const isMedia = /^(?:application|audio|font|image|model|video)\//

// Answers to the visitor repeat it in their headers.
const messageIdIn = ({ messageId = '' }: Email) =>
  /^<[\x21-\x3b=\x3f-\x7e]{1,500}>$/.exec(messageId.trim())?.[0]

const messageIdOf = (source: Buffer) =>
  `<${createHash('sha256').update(source.subarray(0, 4_000)).digest('hex')}${NO_MESSAGE_ID}`

function bodyOf(source: Buffer): Buffer {
  const start = endOfHeaders(source)
  return source.subarray(start, start + HASHED_BYTES)
}
