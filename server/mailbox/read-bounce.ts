import PostalMime, { type Attachment, type Email } from 'postal-mime'
import { addressesInText } from './addresses.ts'
import { boundSource, endOfHeaders } from './bound-source.ts'
import { MAX_RECIPIENTS } from './limits.ts'

/** What a mail server reports about an email that it could not deliver (RFC 3464). */
export type Bounce = {
  /** The Message-ID and the subject of the email, as its receiver got them. */
  messageId: string
  subject: string
  /**
   * The addresses that it could not be delivered to, and why: a code (RFC 3463) such as "5.1.1", or
   * nothing.
   */
  failed: { address: string; status: string }[]
}

/** The first header field with this name, in lower case; empty if there is none. */
export const headerOf = ({ headers }: Email, name: string) =>
  headers.find(({ key }) => key === name)?.value ?? ''

/** Whether a mail server has sent a message: a person can pass on what it said. */
const isOfServer = (email: Email) =>
  headerOf(email, 'return-path').trim() === '<>' && /mailer-daemon|postmaster/i.test(headerOf(email, 'from'))

const isStatus = ({ mimeType }: Attachment) => /^message\/(?:global-)?delivery-status$/.test(mimeType)

/** Whether a message is a report (RFC 3462), perhaps about something else. */
export const isReport = (email: Email): boolean =>
  /^multipart\/report/i.test(headerOf(email, 'content-type')) ||
  (isOfServer(email) && email.attachments.some(isStatus))

/**
 * Reads what could not be delivered. Undefined for other reports, such as one that an email was
 * read or is late.
 */
export async function bounceIn(email: Email, text: string): Promise<Bounce | undefined> {
  const contentOf = (isOne: (part: Attachment) => boolean) => {
    const found = email.attachments.find(isOne)
    return found ? new TextDecoder().decode(found.content as ArrayBuffer) : ''
  }
  const attached = contentOf(({ mimeType }) => returned.test(mimeType))
  const copy = attached || (text.split(/\n\s*\n/).find((block) => /^Message-ID:/im.test(block)) ?? '')
  const [report = ''] = text.split(copy, 1)
  const failed = isReport(email) ? failedIn(contentOf(isStatus)) : failedInText(email, report)
  if (failed.length === 0) return undefined
  const original = await headersIn(copy)
  const messageId = idsIn(original.messageId ?? '')[0] ?? ''
  return { messageId, subject: original.subject ?? '', failed: failed.slice(0, MAX_RECIPIENTS) }
}

const returned = /^(?:message\/(?:rfc822|global(?:-headers)?)|text\/rfc822-headers)$/

/** One block about the mail server, then one for each recipient. */
const failedIn = (status: string): Bounce['failed'] =>
  status
    .split(/\r?\n(?:[ \t]*\r?\n)+/)
    .filter((block) => field(block, 'Action').toLowerCase() === 'failed')
    .flatMap((block) =>
      // The final one, after forwarding, may be unknown to us.
      ['Final-Recipient', 'Original-Recipient']
        .flatMap((name) => addressesInText(field(block, name), MAX_RECIPIENTS))
        .map((address) => ({ address, status: statusIn(field(block, 'Status')) })),
    )

/**
 * What Exim, qmail and others report in plain text, with a copy of the email. Its recipients are
 * among the addresses that the report names: see `findSent`. If it doesn't say that it's final, it
 * may be only late.
 */
function failedInText(email: Email, report: string): Bounce['failed'] {
  const recipients = headerOf(email, 'x-failed-recipients')
  const isFinal = recipients !== '' || /permanent (?:fatal )?error/i.test(report)
  const isRefused = code(5).test(report) && !code(4).test(report)
  if (!isOfServer(email) || !(isFinal || isRefused)) return []
  const status = /\b[45]\.\d{1,3}\.\d{1,3}\b/.exec(report)?.[0] ?? ''
  return addressesInText(`${recipients} ${report}`, MAX_RECIPIENTS).map((address) => ({ address, status }))
}

/** A code such as "5.1.1" or "550", but no port such as 587. */
const code = (first: 4 | 5) => new RegExp(`(?<![\\d.:])${first}(?:\\.\\d{1,3}\\.\\d{1,3}|[25]\\d)(?![\\d.])`)

function headersIn(text: string): Promise<Email> {
  const { source } = boundSource(Buffer.from(text))
  return PostalMime.parse(source.subarray(0, endOfHeaders(source)))
}

/** A field of a report on one line, without its type, such as `smtp;`. */
function field(block: string, name: string): string {
  const [, value = ''] = new RegExp(`^${name}:\\s*(?:[\\w-]+;)?(.*(?:\\n\\s.*)*)`, 'im').exec(block) ?? []
  return value.replace(/\s+/g, ' ').trim()
}

const statusIn = (text: string) => /^[45]\.\d{1,3}\.\d{1,3}/.exec(text)?.[0] ?? ''

/** The Message-IDs in a header. */
export const idsIn = (text: string): string[] => text.match(/<[^<>\s\0]{3,500}>/g) ?? []
