import { budgetInWords } from '#shared/budget-tiers.ts'
import { contactFields, detailFields } from '#shared/contact-request.ts'
import { addressDoubt, emailInShort, typoInWords } from '#shared/inbox/words.ts'
import { officeTime, officeZone } from '#shared/office-time.ts'
import {
  type EventRecord,
  type LeadRecord,
  leadState,
  mailState,
  sourceOf,
  whatHappened,
} from '../inbox/export-leads.ts'
import { type EmailRecord, hasBounced } from '../leads/email-states.ts'
import { isOpenSuspect } from '../leads/lead-store.ts'
import { formatTable, printable } from './terminal.ts'

// More than fits on a line of any terminal.
const MAX_MESSAGE_CHARACTERS = 250
const MAX_NAME_CHARACTERS = 30

/** The leads as a table. `leads show` has the rest of each lead. */
export function formatLeadTable(leads: LeadRecord[], width: number): string {
  const rows = leads.map((lead) => [
    officeTime(lead.created_at).slice(0, 16),
    lead.reference,
    leadState(lead),
    mailState(lead),
    nameInList(lead),
    lead.message.slice(0, MAX_MESSAGE_CHARACTERS).replace(/\s+/g, ' '),
  ])
  return formatTable([['RECEIVED', 'REFERENCE', 'STATE', 'MAIL', 'NAME', 'MESSAGE'], ...rows], width)
}

const nameInList = (lead: LeadRecord) =>
  `${isOpenSuspect(lead) ? '[Suspect] ' : ''}${lead.first_name} ${lead.last_name}`.slice(
    0,
    MAX_NAME_CHARACTERS,
  )

/** One lead in full: its fields, message, history and delivery log. */
export function formatLead(lead: LeadRecord): string {
  const fields = [
    ['Reference', lead.reference],
    ['Received', `${officeTime(lead.created_at)} ${officeZone(lead.created_at)}`],
    ['Name', `${lead.first_name} ${lead.last_name}`],
    ['Email', lead.email],
    ...warnAboutAddress(lead).map((warning) => ['', warning] as const),
    ...detailFields.map((field) => [contactFields[field].label, lead[contactFields[field].column]] as const),
    ['Budget', budgetInWords(lead.budget)],
    ['Source', sourceOf(lead)],
    ['State', describeLeadState(lead)],
    ['Spam', `${describeSpam(lead)}, score ${lead.spam_score}`],
  ] as const
  const width = Math.max(...fields.map(([label]) => label.length)) + 2
  return [
    ...fields.map(([label, value]) => `${label.padEnd(width)}${printable(value) || '-'}`),
    ...lead.spam_reasons.map((reason) => `${' '.repeat(width)}${printable(reason)}`),
    '',
    'Message',
    ...lead.message.split('\n').map((text) => `  ${printable(text)}`),
    '',
    ...(lead.events.length > 0 ? ['History', ...lead.events.flatMap(formatEvent), ''] : []),
    'Delivery log',
    ...deliveryLog(lead),
  ].join('\n')
}

const describeSpam = (lead: LeadRecord) =>
  lead.state === 'spam' ? 'yes' : isOpenSuspect(lead) ? 'suspect' : 'no'

const describeLeadState = (lead: LeadRecord) =>
  [
    leadState(lead),
    ...(lead.state === 'open' && lead.due_at ? [`reply promised by ${officeTime(lead.due_at)}`] : []),
    ...(lead.answered_at ? [`answered ${officeTime(lead.answered_at)}`] : []),
    ...(lead.trouble ? [lead.trouble] : []),
  ].join('; ')

/** Why emails to this address may not arrive. */
function warnAboutAddress({ email, phone, receipt_bounced }: LeadRecord): string[] {
  const typo = typoInWords(email)
  return [
    ...(receipt_bounced ? [`The receipt bounced. ${addressDoubt(phone)}`] : []),
    ...(typo ? [typo] : []),
  ]
}

// The stored outcomes in words for the owner. `--json` prints them as stored.
const outcomes = {
  sent: 'accepted by the mail server',
  file: 'only written to a file',
  listed: 'not sent separately',
  retry: 'not sent, will try again',
  failed: 'given up',
  bounced: 'given up, because the mailbox does not exist',
}

/** What happened to a lead's emails, oldest first, then the current state of each email. */
function deliveryLog({ reference, created_at, emails }: LeadRecord): string[] {
  const events = emails.flatMap((email) =>
    email.log.map(({ at, outcome, response }) => {
      const words = email.kind === 'webhook' && outcome === 'sent' ? 'accepted' : outcomes[outcome]
      return { at, text: `${emailInShort(email)}: ${words}`, response }
    }),
  )
  const line = (at: string, text: string) => `  ${officeTime(at)}  ${printable(text)}`
  return [
    line(created_at, 'received and saved'),
    ...events
      .toSorted((a, b) => (a.at < b.at ? -1 : 1))
      .flatMap(({ at, text, response }) => [
        line(at, text),
        ...(response ? [`${' '.repeat(23)}${printable(response)}`] : []),
      ]),
    ...emails.map(
      (email) =>
        `  ${'now'.padEnd(19)}  ${printable(`${emailInShort(email)}: ${describeState(email, reference)}`)}`,
    ),
    ...(emails.length === 0 ? [`  ${'now'.padEnd(19)}  no email`] : []),
  ]
}

function describeState(email: EmailRecord, reference: string): string {
  const { kind, state, due_at, sent_at } = email
  if (state === 'file') return 'only written to an .eml file, because SMTP_URL was not set'
  if (state === 'listed') return 'not sent separately; a list of requests names this one'
  if (state === 'sent') return sent_at ? `delivered ${officeTime(sent_at)}` : 'delivered'
  if (hasBounced(email)) return 'given up; the address may be wrong'
  if (state === 'failed' && kind === 'visitor_receipt') return 'not sent'
  if (state === 'failed' && kind === 'answer') return 'given up; the lead is open again'
  if (state === 'failed') return `given up; to resend it: leads resend ${reference} --failed`
  if (state === 'sending') return 'being sent'
  return `waiting, next attempt ${officeTime(due_at)}`
}

/**
 * Formats one entry of a lead's history: what happened, then the text of the note, answer or
 * message, and the names of its files, if any.
 */
function formatEvent(event: EventRecord): string[] {
  const { at, who, text, files } = event
  const heading = `  ${officeTime(at)}  ${printable(`${who}: ${whatHappened(event)}`)}`
  const lines = [...(text?.split('\n') ?? []), ...files.map((file) => `File: ${file}`)]
  return [heading, ...lines.map((line) => `${' '.repeat(23)}${printable(line)}`)]
}
