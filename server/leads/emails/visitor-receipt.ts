import { brand } from '#facts/brand.ts'
import { hours } from '#facts/hours.ts'
import { officeZone } from '#shared/office-time.ts'
import { officeTimeInWords } from '#shared/office-time-in-words.ts'
import { nextOpening, quoteDueAt } from '#shared/promise-clock.ts'
import { formatOfficeHours } from '#shared/time/office-hours.ts'
import { bullets, emailBody, heading, paragraph, subheading } from '../../mail/email-body.ts'
import { automatic, type Envelope, type Message, type Sender } from '../../mail/mailer.ts'
import type { Lead } from '../lead-store.ts'

/**
 * The subject of a receipt. After "Re: ", the answer repeats it, so that email programs show both
 * as one conversation.
 */
export const receiptSubject = (reference: string): string => `Your request ${reference} has arrived`

// A single short word, so that a name can't read like a notice ("Account Suspended") or contain an
// address. Chinese and Japanese fit a sentence into a few characters. More than five marks on a
// letter would cover other lines.
const shortName =
  /^(?!.*[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}]{6})(?!.*\p{M}{6})\p{L}[\p{L}\p{M}'’\u200c\u200d]{0,19}$/u

/**
 * Writes the email that tells a visitor what happens next. To prevent abuse, it contains none of
 * the visitor's text except a first name that is a single word.
 */
export function visitorReceipt(
  lead: Lead,
  email: Envelope,
  { mailFrom, siteUrl, hasMailbox = false }: Sender & { hasMailbox?: boolean },
): Message {
  const greeting = shortName.test(lead.firstName) ? `Hello ${lead.firstName},` : 'Hello,'
  const steps = nextSteps(lead).map(({ text }) => text)
  const thanks = 'Thank you for your request. We have received it, and a person will read it.'
  const contact = `Anything to add? Reply to this email or call ${brand.phone}, ${hoursToCall(lead.createdAt)}.`
  const notYou =
    "Didn't ask us for a quote? Then someone mistyped an email address, and you can ignore this email."

  return {
    ...automatic(mailFrom, email, brand.name),
    // See `answerEmail`.
    headers: { References: email.messageId },
    // The mailbox of MAIL_FROM is read.
    ...(!hasMailbox && { replyTo: brand.email }),
    subject: receiptSubject(lead.reference),
    date: lead.createdAt,
    ...emailBody({
      title: `Your request ${lead.reference}`,
      parts: [
        heading('Your request has arrived'),
        paragraph(greeting),
        paragraph(thanks),
        subheading('What happens next'),
        bullets(steps),
        paragraph(contact),
        paragraph(`Your reference: ${lead.reference}`, 'strong'),
      ],
      footer: [brand.legalName, siteUrl, notYou],
    }),
  }
}

/**
 * The office hours, with the same time zone as the promised times: EST or EDT. (The page uses one
 * name for both.)
 */
const hoursToCall = (receivedAt: Date) => `${formatOfficeHours(hours)} ${officeZone(nextOpening(receivedAt))}`

/**
 * Whether a time that the receipt promises has passed. If so, the receipt would only confuse the
 * visitor.
 */
export const isOutdated = (lead: Promised, now: Date): boolean => nextSteps(lead).some(({ at }) => at <= now)

/** The fields that the promised times depend on. */
type Promised = Pick<Lead, 'createdAt' | 'dueAt'>

/** The steps that the page promises, with exact times for this visitor, earliest first. */
export function nextSteps({ createdAt, dueAt: replyBy }: Promised) {
  const opens = nextOpening(createdAt)
  const quoteBy = quoteDueAt(createdAt)
  return [
    { at: opens, text: `Our office is closed right now and opens again on ${officeTimeInWords(opens)}.` },
    { at: replyBy, text: `By ${officeTimeInWords(replyBy)}: a first reply by email.` },
    { at: quoteBy, text: `By ${officeTimeInWords(quoteBy)}: your free quote.` },
  ].filter(({ at }) => at > createdAt && (at !== replyBy || replyBy < quoteBy))
}
