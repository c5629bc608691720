import { brand, budgetTiers, formatDollars, plans } from '#shared/business.ts'
import { type ContactField, contactFieldNames, contactFields } from '#shared/contact-request.ts'
import { inboxPath } from '#shared/inbox/api.ts'
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

type Sender = { mailFrom: MailAddress; siteUrl: string; hasInbox: boolean }

/** The email that tells the owner about a lead. */
export function ownerNotice(
  lead: Lead,
  job: Pick<Job, 'recipient' | 'messageId'>,
  { mailFrom, siteUrl, hasInbox }: Sender,
): Email {
  const name = `${lead.firstName} ${lead.lastName}`
  const rows = contactFieldNames
    .filter((field) => field !== 'message')
    .map((field) => [field, formatField(lead, field)] as const)
  const received = officeTimeInWords(lead.createdAt)
  const promised = `Reply promised by ${officeTimeInWords(replyDueAt(lead.createdAt))}`
  const inbox = hasInbox ? `${siteUrl}${inboxPath}/${lead.reference}` : undefined
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
    text: [
      `${name} asks for a quote.`,
      `${promised}.`,
      '',
      'Message:',
      lead.message,
      '',
      ...rows.map(([field, value]) => `${`${contactFields[field].label}:`.padEnd(12)} ${value}`),
      '',
      ...(inbox ? [`Open in the inbox: ${inbox}`, ''] : []),
      '-- ',
      `Reference ${lead.reference}, received ${received}.`,
      answer,
      origin,
      '',
    ].join('\n'),
    html: emailPage(
      `Quote request ${lead.reference}`,
      html`<p style="margin:0 0 4px;font-size:14px;color:#c2410c;font-weight:600">Quote request ${lead.reference}</p>
<h1 style="margin:0 0 4px;font-size:24px;line-height:1.2">${name}</h1>
<p style="margin:0 0 16px">${promised}</p>
<div style="white-space:pre-wrap;border-left:3px solid #c2410c;padding-left:16px">${lead.message}</div>
<p style="margin:24px 0 16px">${linksFor(lead, inbox)}</p>
<table role="presentation" style="border-collapse:collapse;width:100%">${rows.map(([field, value]) => tableRow(field, value))}
</table>
<p style="margin:32px 0 0;font-size:13px;opacity:.75">Received ${received}. ${answer}<br>${origin}</p>`,
    ),
  }
}

const describeSpam = ({ score, reasons }: SpamVerdict) => `${score} points: ${reasons.join('; ')}`

/** Large enough for a thumb. */
function linksFor({ email, phone, reference }: Lead, inbox: string | undefined): SafeHtml[] {
  const subject = encodeURIComponent(`Your request ${reference}`)
  const mail = `mailto:${encodeURIComponent(email.toWellFormed()).replace('%40', '@')}?subject=${subject}`
  return [
    largeLink(mail, 'Reply'),
    ...(/\d/.test(phone) ? [largeLink(telephoneLink(phone), 'Call')] : []),
    ...(inbox ? [largeLink(inbox, 'Open in the inbox')] : []),
  ]
}

const largeLink = (url: string, text: string) =>
  html`
<a href="${url}" style="display:inline-block;margin:0 8px 8px 0;padding:12px 20px;border:2px solid #c2410c;border-radius:6px;color:inherit;font-weight:600;text-decoration:none">${text}</a>`

function tableRow(field: ContactField, value: string): SafeHtml {
  return html`
<tr><td style="padding:6px 16px 6px 0;border-top:1px solid #8884;vertical-align:top;opacity:.75;width:6em">${contactFields[field].label}</td><td style="padding:6px 0;border-top:1px solid #8884;vertical-align:top;overflow-wrap:anywhere">${value}</td></tr>`
}

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
