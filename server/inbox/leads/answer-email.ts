import { brand } from '#shared/business.ts'
import { html } from '../../html.ts'
import type { Lead } from '../../leads/lead-store.ts'
import { officeTimeInWords } from '../../leads/office-time.ts'
import { receiptSubject } from '../../leads/visitor-receipt.ts'
import { emailPage } from '../../mail/email-page.ts'
import type { Email, MailAddress } from '../../mail/mailer.ts'
import type { Job } from '../../outbox/email.ts'
import type { AnswerContent } from './answer-content.ts'
import { ownerName } from './owner-name.ts'

type Envelope = Pick<Job, 'recipient' | 'messageId'>
type Sender = { mailFrom: MailAddress }

/** An owner's answer to a visitor, with the visitor's message quoted below. */
export function answerEmail(lead: Lead, answer: AnswerContent, job: Envelope, { mailFrom }: Sender): Email {
  const name = ownerName(answer.owner)
  return {
    // Not the owner's own address: SPF, DKIM and DMARC are set up for the domain of MAIL_FROM.
    from: { name: name ? `${name} at ${brand.name}` : brand.name, address: mailFrom.address },
    replyTo: answer.owner,
    to: job.recipient,
    subject: subjectOf(lead, answer),
    date: new Date(answer.at),
    messageId: job.messageId,
    boundary: answer.key,
    ...(answer.repliesTo && {
      headers: { 'In-Reply-To': answer.repliesTo, References: answer.repliesTo },
    }),
    ...bodyOf(lead, answer, ''),
  }
}

/** The owner's own copy of an answer; replies to it reach the visitor. */
export function answerCopy(lead: Lead, answer: AnswerContent, job: Envelope, { mailFrom }: Sender): Email {
  return {
    from: { name: mailFrom.name ?? brand.name, address: mailFrom.address },
    replyTo: lead.email,
    to: job.recipient,
    subject: `Copy: ${subjectOf(lead, answer)}`,
    date: new Date(answer.at),
    messageId: job.messageId,
    boundary: answer.key,
    isAutomatic: true,
    ...bodyOf(lead, answer, `Your answer to ${lead.firstName} ${lead.lastName} <${lead.email}>:`),
  }
}

/** The receipt's subject, so that mail programs show one conversation. */
const subjectOf = ({ reference }: Lead, { repliesTo }: AnswerContent) =>
  repliesTo ? `Re: ${receiptSubject(reference)}` : `Your request ${reference}`

function bodyOf(lead: Lead, { text }: AnswerContent, introduction: string) {
  const attribution = `On ${officeTimeInWords(lead.createdAt)}, ${lead.firstName} ${lead.lastName} wrote:`
  return {
    text: [...(introduction ? [introduction, ''] : []), text, '', attribution, quote(lead.message), ''].join(
      '\n',
    ),
    html: emailPage(
      `Your request ${lead.reference}`,
      html`${introduction && html`<p style="opacity:.75">${introduction}</p>`}
<div style="white-space:pre-wrap;overflow-wrap:anywhere">${text}</div>
<p style="margin:32px 0 8px;font-size:14px;opacity:.75">${attribution}</p>
<blockquote style="margin:0;padding-left:16px;border-left:2px solid #8888;white-space:pre-wrap;overflow-wrap:anywhere">${lead.message}</blockquote>`,
    ),
  }
}

const quote = (message: string) => message.replace(/^/gm, '> ').replace(/^> $/gm, '>')
