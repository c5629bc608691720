import { brand } from '#facts/brand.ts'
import { officeTimeInWords } from '#shared/office-time-in-words.ts'
import { hasWords, type Lead } from '../../leads/lead-store.ts'
import { receiptSubject } from '../../leads/visitor-receipt.ts'
import { emailBody, type Part, paragraph, quotation, writing } from '../../mail/email-body.ts'
import type { MailAddress, Message } from '../../mail/mailer.ts'
import type { Email } from '../../outbox/email.ts'
import type { AnswerContent } from './answer-lead.ts'

type Envelope = Pick<Email, 'recipient' | 'messageId'>
type Sender = { mailFrom: MailAddress }

/** An owner's answer to a visitor, with the visitor's message quoted below. All answers and the receipt are one
 * conversation. */
export function answerEmail(
  lead: Lead,
  answer: AnswerContent,
  email: Envelope,
  { mailFrom }: Sender,
): Message {
  const name = ownerName(answer.owner)
  const { repliesTo } = answer
  return {
    ...letter(lead, answer, email),
    // Not the owner's own address: SPF, DKIM and DMARC are set up only for the domain of MAIL_FROM.
    from: { name: name ? `${name} at ${brand.name}` : brand.name, address: mailFrom.address },
    replyTo: answer.owner,
    ...(repliesTo && { headers: { 'In-Reply-To': repliesTo, References: repliesTo } }),
  }
}

/** The owner's own copy of an answer; replies to it reach the visitor. */
export function answerCopy(
  lead: Lead,
  answer: AnswerContent,
  email: Envelope,
  { mailFrom }: Sender,
): Message {
  const person = hasWords(lead) ? `${lead.firstName} ${lead.lastName} <${lead.email}>` : lead.reference
  const message = letter(lead, answer, email, [paragraph(`Your answer to ${person}:`, 'quiet')])
  return {
    ...message,
    from: { name: mailFrom.name ?? brand.name, address: mailFrom.address },
    replyTo: lead.email,
    subject: `Copy: ${message.subject}`,
    isAutomatic: true,
  }
}

const isReceipt = (messageId: string) => messageId.includes('.receipt@')

function letter(
  lead: Lead,
  { text, at, repliesTo }: AnswerContent,
  { recipient, messageId }: Envelope,
  introduction: Part[] = [],
) {
  const attribution = `On ${officeTimeInWords(lead.createdAt)}, ${lead.firstName} ${lead.lastName} wrote:`
  const quoted = hasWords(lead) ? [quotation(attribution, lead.message)] : []
  const title = `Your request ${lead.reference}`
  return {
    to: recipient,
    subject: repliesTo ? `Re: ${isReceipt(repliesTo) ? receiptSubject(lead.reference) : title}` : title,
    date: new Date(at),
    messageId,
    ...emailBody({ title, parts: [...introduction, writing(text, 'letter'), ...quoted] }),
  }
}

/** The text that an owner finds in the answer field at first, with blank lines to fill in. */
export function answerTemplate({ firstName }: { firstName: string }, owner: string): string {
  const signature = [ownerName(owner), brand.name].filter((line) => line !== '')
  return [`Hello ${firstName},`, '', 'Thank you for your request.', '', '', '', ...signature].join('\n')
}

// Mailboxes that belong to a role, not a person.
const roles = new Set(
  'admin contact hello help hi info inbox inquiries leads mail office owner post quotes sales support team web webmaster'.split(
    ' ',
  ),
)

/**
 * Guesses an owner's name from the first word of the address that has at least two letters: "anna.berg@..." is Anna. Returns
 * an empty string if that word is a role, as in "hello@...".
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
