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

/** Reads what could not be delivered. Undefined for other reports, such as one that an email was read or is late. */
export async function bounceIn(attachments: readonly Attachment[]): Promise<Bounce | undefined> {
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
