import { budgetInWords, planPrice } from '#shared/budget-tiers.ts'
import { contactFields, detailFields } from '#shared/contact-request.ts'
import { inboxPath, openParameter } from '#shared/inbox/api.ts'
import { officeTimeInWords } from '#shared/office-time-in-words.ts'
import { isAscii } from '#shared/text/fold.ts'
import { replaceInvisible } from '#shared/text/invisible-characters.ts'
import { telephoneLink } from '#shared/text/telephone-link.ts'
import {
  buttons,
  type EmailPart,
  emailBody,
  facts,
  heading,
  indented,
  type Link,
  paragraph,
  writing,
} from '../../mail/email-body.ts'
import { automatic, type Envelope, type Message, type Sender } from '../../mail/mailer.ts'
import type { SpamVerdict } from '../../spam/spam-score.ts'
import { hasWords, type Lead } from '../lead-store.ts'

// The form accepts two names of 100 characters each, but email programs can't show such a long
// subject.
const SUBJECT_NAME_LENGTH = 100

/**
 * The email that tells the owner about a lead. Without the visitor's words (see `withoutWords`), it
 * only says where to read them.
 */
export function ownerNotice(
  lead: Lead,
  email: Envelope,
  { mailFrom, siteUrl, hasInbox }: Sender & { hasInbox: boolean },
): Message {
  const page = hasInbox ? `${siteUrl}${inboxPath}/${lead.reference}` : undefined
  const name = `${lead.firstName} ${lead.lastName}`
  // A reply quotes the email, so it says nothing that the visitor must not read, such as where the
  // visitor came from. The company is below the name.
  const rows = [
    ...(['email', ...detailFields.filter((field) => field !== 'company')] as const).map(
      (field) => [contactFields[field].label, lead[field]] as const,
    ),
    [contactFields.budget.label, budgetAndPrice(lead.budget)] as const,
  ].filter(([, value]) => value)
  return {
    ...automatic(mailFrom, email),
    // "Reply" reaches the visitor.
    replyTo: lead.email,
    subject: noticeSubject(lead),
    date: lead.createdAt,
    ...(lead.spam.isSuspect && { headers: suspectHeaders(lead.spam) }),
    ...emailBody({
      title: noticeSubject(lead),
      parts: hasWords(lead)
        ? [
            // The message comes first, because a phone's notification shows the first lines.
            indented(writing(lead.message, 'words')),
            indented(heading(name)),
            ...(lead.company ? [indented(paragraph(lead.company, 'quiet'))] : []),
            facts(rows),
          ]
        : refused(lead, page),
      // A suspect got no receipt, so nobody has promised it a reply.
      below: whatToDo(linksFor(lead, page), lead.spam.isSuspect ? undefined : lead.dueAt),
      footer: [receivedLine(lead)],
    }),
  }
}

/**
 * The subject of a notice: who has written, and about which request. A reply repeats it, and is
 * known by the first reference in it, which must not be one that a visitor gave as a name.
 */
export function noticeSubject(lead: Lead, name = `${lead.firstName} ${lead.lastName}`): string {
  if (!hasWords(lead)) return `Quote request ${lead.reference}`
  return `${toSubjectText(name).replace(/\bQ-/g, 'Q ')}: quote request ${lead.reference}`
}

/**
 * Until when an owner should answer, and links for that. An owner's reply to the email may quote it
 * to the visitor, so it must not sound like a reproach, neither to the owner nor to the visitor.
 */
const whatToDo = (links: readonly Link[], dueAt?: Date): EmailPart[] => [
  ...(dueAt ? [paragraph(`By ${officeTimeInWords(dueAt)}`, 'strong')] : []),
  ...(links.length > 0 ? [buttons(links)] : []),
]

/**
 * What is below the signature line of an email about a message. `isElsewhere`: it came from another
 * address than the request's. `isPromised`: it says by when to reply.
 */
export function belowMessage(
  lead: Lead,
  siteUrl: string,
  {
    isElsewhere,
    isPromised = true,
    notes = [],
  }: { isElsewhere: boolean; isPromised?: boolean; notes?: string[] },
) {
  const page = `${siteUrl}${inboxPath}/${lead.reference}`
  const call = isElsewhere ? [] : callLink(lead.phone)
  return {
    below: whatToDo([replyLink(page), ...call, answeredLink(page)], isPromised ? lead.dueAt : undefined),
    footer: [...notes, receivedLine(lead), siteUrl],
  }
}

/** Where replies go. Not all mail servers take other letters there. */
export const repliesTo = (address: string): Pick<Message, 'replyTo'> =>
  address && isAscii(address) ? { replyTo: address } : {}

const receivedLine = ({ reference, createdAt }: Lead): string =>
  `Request ${reference}, received ${officeTimeInWords(createdAt)}.`

/** Says why the visitor's words are missing, and where to read them. */
const refused = ({ reference }: Lead, page: string | undefined): EmailPart[] => [
  heading('A new request'),
  paragraph(
    'Your mail server refused the email with this request, probably because of something that the visitor wrote. So this email leaves it out.',
  ),
  ...(page ? [] : [paragraph(`Read it with "leads show ${reference}".`)]),
]

/**
 * Say that a lead is a suspect: as a low importance, which many email programs show, and with the
 * reasons. A customer must not learn of it. So nothing else says it: a reply can quote the text,
 * the subject, and the name of the sender.
 */
const suspectHeaders = ({ score, reasons }: SpamVerdict) => ({
  Importance: 'low',
  'X-Priority': '5',
  'X-Lead-Suspect': [`${score} points`, ...reasons].join('; '),
})

/**
 * Links for what the owner can do now, the most likely first: a suspect must be judged before it is
 * answered.
 */
function linksFor(lead: Lead, inbox: string | undefined): Link[] {
  const { email, phone, reference, spam } = lead
  const subject = encodeURIComponent(`Your request ${reference}`)
  const mailto = `mailto:${encodeURIComponent(email.toWellFormed()).replace('%40', '@')}?subject=${subject}`
  // The inbox knows of the answers that are written in it. A reply to this email, from the email
  // program, reaches the visitor, too.
  const contact = [inbox ? replyLink(inbox) : { label: 'Reply', url: mailto }, ...callLink(phone)]
  const open = inbox ? [{ label: 'Open in the inbox', url: inbox }] : []
  if (!hasWords(lead)) return open
  if (spam.isSuspect) return [...open, ...contact]
  return [...contact, ...open, ...(inbox ? [answeredLink(inbox)] : [])]
}

/** A link to call; none if there is no phone number. */
export function callLink(phone: string, label = 'Call'): Link[] {
  const url = telephoneLink(phone)
  return url ? [{ label, url }] : []
}

/** Opens the reply to a lead in the inbox. */
export const replyLink = (page: string, label = 'Reply'): Link => ({
  label,
  url: `${page}?${openParameter}=reply`,
})

/**
 * For an owner who has answered from an email program or by phone: opens the lead, which asks when.
 * Opening it changes nothing, because scanners open links.
 */
export const answeredLink = (page: string): Link => ({
  label: 'I answered this',
  url: `${page}?${openParameter}=done`,
})

/** The budget, with the prices of its plan. */
function budgetAndPrice(budget: string): string {
  const price = planPrice(budget)
  return budgetInWords(budget) + (price ? `; plan: ${price}` : '')
}

/**
 * Turns visitor text into one short line. Breaks up encoded words (RFC 2047), which email programs
 * would decode.
 */
export const toSubjectText = (value: string) => {
  const line = replaceInvisible(value).replace(/\s+/g, ' ').replaceAll('=?', '= ?').trim()
  // The spread avoids cutting inside an emoji.
  return [...line].slice(0, SUBJECT_NAME_LENGTH).join('')
}
