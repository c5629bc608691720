import { brand } from '#facts/brand.ts'
import { officeTimeInWords } from '#shared/office-time-in-words.ts'
import { hasWords, type Lead } from '../../leads/lead-store.ts'
import { receiptSubject } from '../../leads/visitor-receipt.ts'
import { emailBody, paragraph, quotation, writing } from '../../mail/email-body.ts'
import type { MailAddress, Message } from '../../mail/mailer.ts'
import type { Email } from '../../outbox/email.ts'
import type { AnswerContent } from './answer-lead.ts'
import { ownerName } from './answer-template.ts'

type Envelope = Pick<Email, 'recipient' | 'messageId'>
type Sender = { mailFrom: MailAddress }

/** An owner's answer to a visitor, with the visitor's message quoted below. */
export function answerEmail(
  lead: Lead,
  answer: AnswerContent,
  email: Envelope,
  { mailFrom }: Sender,
): Message {
  const name = ownerName(answer.owner)
  return {
    // Not the owner's own address: SPF, DKIM and DMARC are set up only for the domain of MAIL_FROM.
    from: { name: name ? `${name} at ${brand.name}` : brand.name, address: mailFrom.address },
    replyTo: answer.owner,
    to: email.recipient,
    subject: subjectOf(lead, answer),
    date: new Date(answer.at),
    messageId: email.messageId,
    boundary: answer.key,
    ...conversationOf(answer),
    ...bodyOf(lead, answer, ''),
  }
}

/** The owner's own copy of an answer; replies to it reach the visitor. */
export function answerCopy(
  lead: Lead,
  answer: AnswerContent,
  email: Envelope,
  { mailFrom }: Sender,
): Message {
  return {
    from: { name: mailFrom.name ?? brand.name, address: mailFrom.address },
    replyTo: lead.email,
    to: email.recipient,
    subject: `Copy: ${subjectOf(lead, answer)}`,
    date: new Date(answer.at),
    messageId: email.messageId,
    boundary: answer.key,
    isAutomatic: true,
    ...bodyOf(
      lead,
      answer,
      hasWords(lead)
        ? `Your answer to ${lead.firstName} ${lead.lastName} <${lead.email}>:`
        : `Your answer to ${lead.reference}:`,
    ),
  }
}

/** The headers and the subject that make mail programs show a receipt and all answers as one conversation. */
function conversationOf({ repliesTo, earlier = [] }: AnswerContent) {
  const references = [...(repliesTo ? [repliesTo] : []), ...earlier]
  const last = references.at(-1)
  return last && { headers: { 'In-Reply-To': last, References: references.join(' ') } }
}

function subjectOf({ reference }: Lead, { repliesTo, earlier = [] }: AnswerContent): string {
  if (repliesTo) return `Re: ${receiptSubject(reference)}`
  return `${earlier.length > 0 ? 'Re: ' : ''}Your request ${reference}`
}

function bodyOf(lead: Lead, { text }: AnswerContent, introduction: string) {
  const attribution = `On ${officeTimeInWords(lead.createdAt)}, ${lead.firstName} ${lead.lastName} wrote:`
  return emailBody({
    title: `Your request ${lead.reference}`,
    parts: [
      ...(introduction ? [paragraph(introduction, 'quiet')] : []),
      writing(text, 'letter'),
      ...(hasWords(lead) ? [quotation(attribution, lead.message)] : []),
    ],
  })
}
