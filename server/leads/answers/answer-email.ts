import { brand } from '#facts/brand.ts'
import { fileInWords } from '#shared/files-in-words.ts'
import { officeTimeInWords } from '#shared/office-time-in-words.ts'
import { emailBody, paragraph, quotation, writing } from '../../mail/email-body.ts'
import type { MailAddress, MailFile, Message } from '../../mail/mailer.ts'
import type { Email } from '../../outbox/email.ts'
import { receiptSubject } from '../emails/visitor-receipt.ts'
import { hasWords, type Lead } from '../lead-store.ts'
import type { AnswerContent } from './answer-lead.ts'

/** `lastReply`: what the visitor wrote since the request. `files`: those of the answer. */
type Sender = {
  mailFrom: MailAddress
  files?: readonly MailFile[]
  hasMailbox?: boolean
  lastReply?: { text: string; at: Date } | undefined
}

const isReceipt = (messageId: string) => messageId.includes('.receipt@')

/**
 * An owner's answer to a visitor, with the visitor's last message quoted below, or the owner's own
 * copy of it, which only names the files, and whose replies reach the visitor. All answers and the
 * receipt are one conversation.
 */
export function answerEmail(
  lead: Lead,
  { text, at, owner, to = lead.email, references }: AnswerContent,
  { kind, recipient, messageId }: Pick<Email, 'kind' | 'recipient' | 'messageId'>,
  { mailFrom, hasMailbox = false, lastReply, files = [] }: Sender,
): Message {
  const { reference, firstName, lastName } = lead
  const isToVisitor = to.toLowerCase() === lead.email.toLowerCase()
  const quoted = lastReply ?? (isToVisitor ? { text: lead.message, at: lead.createdAt } : undefined)
  const title = `Your request ${reference}`
  const [first] = references
  const subject = first ? `Re: ${isReceipt(first) ? receiptSubject(reference) : title}` : title
  const person = isToVisitor ? `${firstName} ${lastName}` : to
  const parts = [writing(text, 'letter')]
  if (quoted && hasWords(lead))
    parts.push(quotation(`On ${officeTimeInWords(quoted.at)}, ${person} wrote:`, quoted.text))
  const common = { to: recipient, date: new Date(at), messageId }
  if (kind === 'answer_copy') {
    if (files.length > 0) parts.push(paragraph(`Files: ${files.map(fileInWords).join(', ')}`, 'quiet'))
    const receiver = hasWords(lead) ? (isToVisitor ? `${person} <${to}>` : to) : reference
    // See `readdress`.
    const author = recipient === owner ? 'Your answer' : `The answer of ${owner}`
    return {
      ...common,
      from: { name: mailFrom.name ?? brand.name, address: mailFrom.address },
      replyTo: to,
      subject: `Copy: ${subject}`,
      isAutomatic: true,
      ...emailBody({ title, parts: [paragraph(`${author} to ${receiver}:`, 'quiet'), ...parts] }),
    }
  }
  const name = ownerName(owner)
  return {
    ...common,
    // Not the owner's own address: SPF, DKIM and DMARC are set up only for the domain of MAIL_FROM.
    from: { name: name ? `${name} at ${brand.name}` : brand.name, address: mailFrom.address },
    // Without it, the reply goes to the sender's mailbox, where this program reads it.
    ...(!hasMailbox && { replyTo: owner }),
    subject,
    headers: {
      ...(first && { 'In-Reply-To': references.at(-1) ?? first }),
      // Its own Message-ID, too: some mail services change that, but keep this header, which
      // replies repeat.
      References: [...new Set([...references, messageId])].join(' '),
    },
    ...emailBody({ title, parts }),
    ...(files.length > 0 && { files }),
  }
}

/**
 * The text that an owner finds in the answer field at first, with blank lines to fill in. Only the
 * first answer thanks.
 */
export function answerTemplate(to: { firstName: string; isFirst: boolean }, owner: string): string {
  const thanks = to.isFirst ? ['Thank you for your request.', ''] : []
  const signature = [ownerName(owner), brand.name].filter((line) => line !== '')
  return [`Hello ${to.firstName},`, '', ...thanks, '', '', ...signature].join('\n')
}

// Mailboxes that belong to a role, not a person.
const roles = new Set(
  'admin contact hello help hi info inbox inquiries leads mail office owner post quotes sales support team web webmaster'.split(
    ' ',
  ),
)

/**
 * Guesses an owner's name from the first word of the address that has at least two letters:
 * "anna.berg@..." is Anna. Returns an empty string if that word is a role, as in "hello@...".
 */
export function ownerName(address: string): string {
  const [local = ''] = address.split('@')
  const [first = ''] = local
    .replace(/\+.*/, '')
    .split(/[^\p{L}]+/u)
    .filter((word) => word.length > 1)
  if (roles.has(first.toLowerCase())) return ''
  return first.charAt(0).toUpperCase() + first.slice(1).toLowerCase()
}
