import { brand, budgetTiers, formatDollars, plans } from '#shared/business.ts'
import { type ContactField, contactFields } from '#shared/contact-request.ts'
import { inboxPath } from '#shared/inbox/api.ts'
import { sourceInWords } from '#shared/inbox/source-in-words.ts'
import { replaceInvisible } from '#shared/invisible-characters.ts'
import { replyDueAt } from '#shared/promise-clock.ts'
import { telephoneLink } from '#shared/telephone-link.ts'
import { html, type SafeHtml } from '../html.ts'
import { emailPage } from '../mail/email-page.ts'
import type { Email, MailAddress } from '../mail/mailer.ts'
import type { Job } from '../outbox/email.ts'
import type { Lead } from './lead-store.ts'
import { officeTimeInWords } from './office-time.ts'
import { isSuspect, type SpamVerdict } from './spam-score.ts'

// The form accepts two names of 100 characters each, but email programs can't show such a long subject.
const SUBJECT_NAME_LENGTH = 100

/** The fields below the message and the name. */
const detailFields = ['email', 'phone', 'website', 'budget'] as const

type Sender = { mailFrom: MailAddress; siteUrl: string; hasInbox: boolean }

/** The email that tells the owner about a lead. */
export function ownerNotice(
  lead: Lead,
  job: Pick<Job, 'recipient' | 'messageId'>,
  { mailFrom, siteUrl, hasInbox }: Sender,
): Email {
  const name = `${lead.firstName} ${lead.lastName}`
  const source = sourceInWords(lead.source)
  const rows = [
    ...detailFields.map((field) => [contactFields[field].label, formatField(lead, field)] as const),
    ...(source ? [['Source', source] as const] : []),
  ]
  const links = linksFor(lead, hasInbox ? `${siteUrl}${inboxPath}/${lead.reference}` : undefined)
  const promised = `Reply promised by ${officeTimeInWords(replyDueAt(lead.createdAt))}`
  const received = `Request ${lead.reference}, received ${officeTimeInWords(lead.createdAt)}.`
  const answer = `Reply to this email to answer ${lead.firstName} directly.`
  const origin = `Sent by the quote form at ${siteUrl}`

  return {
    // From our own domain, so that SPF and DKIM pass; "Reply" still reaches the visitor.
    from: { name: mailFrom.name ?? `${brand.name} website`, address: mailFrom.address },
    replyTo: lead.email,
    to: job.recipient,
    subject: `Quote request ${lead.reference} from ${toSubjectText(name)}`,
    date: lead.createdAt,
    messageId: job.messageId,
    boundary: lead.id,
    isAutomatic: true,
    // In a header, because replies don't quote it: a customer must not learn that we suspected spam.
    ...(isSuspect(lead.spam.score) && { headers: { 'X-Lead-Suspect': describeSpam(lead.spam) } }),
    // The message comes first, because that is what a notification shows.
    text: [
      lead.message,
      '',
      lead.company ? `${name}, ${lead.company}` : name,
      '',
      ...links.flatMap(({ label, url }) => [`${label}:`, url, '']),
      `${promised}.`,
      '',
      ...rows.map(([label, value]) => `${`${label}:`.padEnd(8)} ${value}`),
      '',
      '-- ',
      received,
      answer,
      origin,
      '',
    ].join('\n'),
    html: emailPage(
      `Quote request ${lead.reference}`,
      html`<div style="white-space:pre-wrap;overflow-wrap:anywhere;border-left:3px solid #c2410c;padding:2px 0 2px 16px;font-size:18px">${lead.message}</div>
<h1 style="margin:28px 0 0;font-size:24px;line-height:1.25;overflow-wrap:anywhere">${name}</h1>
${lead.company ? html`<p style="margin:2px 0 0;overflow-wrap:anywhere">${lead.company}</p>` : ''}
<p style="margin:20px 0 8px">${links.map(largeLink)}</p>
<p style="margin:0 0 28px;font-weight:600">${promised}</p>
<table role="presentation" style="border-collapse:collapse;width:100%;border-bottom:1px solid #8884">${rows.map(tableRow)}
</table>
<p style="margin:28px 0 0;font-size:13px;opacity:.75">${received}<br>${answer}<br>${origin}</p>`,
    ),
  }
}

const describeSpam = ({ score, reasons }: SpamVerdict) => `${score} points: ${reasons.join('; ')}`

type Link = { label: string; url: string }

/** What the owner can do now, the most likely first. */
function linksFor({ email, phone, reference }: Lead, inbox: string | undefined): Link[] {
  const subject = encodeURIComponent(`Your request ${reference}`)
  const mail = `mailto:${encodeURIComponent(email.toWellFormed()).replace('%40', '@')}?subject=${subject}`
  return [
    { label: 'Reply', url: mail },
    ...(/\d/.test(phone) ? [{ label: 'Call', url: telephoneLink(phone) }] : []),
    ...(inbox ? [{ label: 'Open in the inbox', url: inbox }] : []),
  ]
}

/** A link large enough for a thumb. The first is filled. */
function largeLink({ label, url }: Link, index: number): SafeHtml {
  const color = index === 0 ? 'background:#c2410c;color:#fff' : 'color:inherit'
  return html`
<a href="${url}" style="display:inline-block;margin:0 8px 8px 0;padding:12px 20px;border:2px solid #c2410c;border-radius:6px;${color};font-weight:600;text-decoration:none">${label}</a>`
}

const tableRow = ([label, value]: readonly [string, string]): SafeHtml => html`
<tr><td style="padding:8px 16px 8px 0;border-top:1px solid #8884;vertical-align:top;opacity:.75;width:5em">${label}</td><td style="padding:8px 0;border-top:1px solid #8884;vertical-align:top;overflow-wrap:anywhere">${value}</td></tr>`

/** Adds the plan's prices to the budget, and shows an empty field as a dash. */
function formatField(lead: Lead, field: ContactField): string {
  if (field !== 'budget') return lead[field] || '-'
  if (lead.budget === '') return '-'
  const plan = plans.find(({ id }) => id === lead.budget)
  const price =
    plan && `; plan: ${formatDollars(plan.setupDollars)} setup, ${formatDollars(plan.monthlyDollars)} a month`
  return `${budgetTiers[lead.budget]}${price ?? ''}`
}

/** Turns visitor text into one line of limited length, without encoded words (RFC 2047). */
const toSubjectText = (value: string) => {
  const line = replaceInvisible(value).replace(/\s+/g, ' ').replaceAll('=?', '= ?').trim()
  // The spread avoids cutting inside an emoji.
  return [...line].slice(0, SUBJECT_NAME_LENGTH).join('')
}
