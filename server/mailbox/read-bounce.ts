import PostalMime, { type Attachment, type Email } from 'postal-mime'
import { addressesInText } from './addresses.ts'
import { boundSource, endOfHeaders } from './bound-source.ts'
import { MAX_RECIPIENTS } from './limits.ts'

/** What a mail server reports about an email that it could not deliver (RFC 3464). */
export type Bounce = {
  /** The Message-ID and the subject of the email, as its receiver got them. */
  messageId: string
  subject: string
  /** The addresses that it could not be delivered to, and why: a code (RFC 3463) such as "5.1.1", or nothing. */
  failed: { address: string; status: string }[]
}

const headerOf = ({ headers }: Email, name: string) => headers.find(({ key }) => key === name)?.value ?? ''

/** Whether a mail server has sent a message: a person can pass on what it said. */
const isOfServer = (email: Email) =>
  headerOf(email, 'return-path').trim() === '<>' && /mailer-daemon|postmaster/i.test(headerOf(email, 'from'))

/** Whether a message is a report (RFC 3462), perhaps about something else. */
export const isReport = (email: Email): boolean =>
  /^multipart\/report/i.test(headerOf(email, 'content-type')) ||
  (isOfServer(email) && email.attachments.some(({ mimeType }) => mimeType === 'message/delivery-status'))

/** Reads what could not be delivered. Undefined for other reports, such as one that an email was read or is late. */
export const bounceIn = async (email: Email, text: string): Promise<Bounce | undefined> =>
  isReport(email) ? inReport(email.attachments) : inText(email, text)

async function inReport(attachments: readonly Attachment[]): Promise<Bounce | undefined> {
  const part = (type: RegExp) => {
    const found = attachments.find(({ mimeType }) => type.test(mimeType))
    return found ? new TextDecoder().decode(found.content as ArrayBuffer) : ''
  }
  // One block about the mail server, then one for each recipient.
  const blocks = part(/^message\/delivery-status$/).split(/\r?\n(?:[ \t]*\r?\n)+/)
  const failed = blocks.filter((block) => field(block, 'Action').toLowerCase() === 'failed')
  if (failed.length === 0) return undefined
  const original = await headersIn(part(/^(?:message\/rfc822|text\/rfc822-headers|message\/global)/))
  return {
    messageId: idsIn(original.messageId ?? '')[0] ?? '',
    subject: original.subject ?? '',
    failed: failed
      .flatMap((block) =>
        // The final one, after forwarding, may be unknown to us.
        ['Final-Recipient', 'Original-Recipient']
          .flatMap((name) => addressesInText(field(block, name), MAX_RECIPIENTS))
          .map((address) => ({ address, status: statusIn(field(block, 'Status')) })),
      )
      .slice(0, MAX_RECIPIENTS),
  }
}

/**
 * What Exim, qmail and others report in plain text, with a copy of the email below. Its recipients are among the addresses that
 * the report names: see `findSent`.
 */
function inText(email: Email, text: string): Bounce | undefined {
  const [copy, messageId = ''] = /^Message-ID:\s*(<[^<>\s]+>)/im.exec(text) ?? []
  if (!isOfServer(email) || !copy) return undefined
  const report = text.slice(0, text.indexOf(copy))
  const status = /\b5\.\d{1,3}\.\d{1,3}\b/.exec(report)?.[0] ?? ''
  const recipients = headerOf(email, 'x-failed-recipients')
  // Otherwise, it may be only late.
  if (/\b4\.\d{1,3}\.\d{1,3}\b/.test(report) || (status === '' && recipients === '')) return undefined
  const [, subject = ''] = /^Subject:(.*)$/im.exec(report) ?? []
  const failed = addressesInText(`${recipients} ${report}`, MAX_RECIPIENTS)
  return { messageId, subject: subject.trim(), failed: failed.map((address) => ({ address, status })) }
}

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
