import { budgetTiers } from '#shared/business.ts'
import { officeTime, officeZone } from '../leads/office-time.ts'
import { isSuspect } from '../leads/spam-score.ts'
import type { LeadRecord } from './read-leads.ts'
import { type Column, formatTable, printable } from './terminal-text.ts'

// More of a message than this fits no line.
const MESSAGE_START = 250

/** The leads as a table that fits the terminal; the message, the address and the budget give way first. */
export function formatLeadTable(leads: LeadRecord[], width: number): string {
  const column = (title: string, cell: (lead: LeadRecord) => string, more: Partial<Column> = {}) => ({
    title,
    cells: leads.map(cell),
    ...more,
  })
  return formatTable(
    [
      column('RECEIVED', ({ created_at }) => officeTime(created_at).slice(0, 16), { dispensable: 1 }),
      column('REFERENCE', ({ reference }) => reference),
      column('MAIL', ({ delivery }) => delivery),
      column('NAME', nameInList, { minimum: 14 }),
      column('EMAIL', ({ email }) => email, { minimum: 16, dispensable: 3 }),
      column('BUDGET', ({ budget }) => budget, { dispensable: 4 }),
      column('MESSAGE', ({ message }) => message.slice(0, MESSAGE_START).replace(/\s+/g, ' '), {
        minimum: 16,
        dispensable: 2,
      }),
    ],
    width,
  )
}

const nameInList = ({ first_name, last_name, spam_score }: LeadRecord) =>
  `${isSuspect(spam_score) ? '[Suspect] ' : ''}${first_name} ${last_name}`

/** One lead as its owner reads it: the fields, the message, and the flight record of its mails. */
export function formatLead(lead: LeadRecord): string {
  const fields = [
    ['Reference', lead.reference],
    ['Received', `${officeTime(lead.created_at)} ${officeZone(lead.created_at)}`],
    ['Name', `${lead.first_name} ${lead.last_name}`],
    ['Email', lead.email],
    ['Phone', lead.phone],
    ['Company', lead.company],
    ['Website', lead.website],
    ['Budget', lead.budget && budgetTiers[lead.budget]],
    [
      'Spam',
      isSuspect(lead.spam_score) ? `suspect, score ${lead.spam_score}` : `no, score ${lead.spam_score}`,
    ],
  ] as const
  return [
    ...fields.map(([label, value]) => `${label.padEnd(10)} ${printable(value) || '-'}`),
    ...lead.spam_reasons.map((reason) => `           ${printable(reason)}`),
    '',
    'Message',
    ...lead.message.split('\n').map((text) => `  ${printable(text)}`),
    '',
    'Flight record',
    ...flightRecord(lead),
  ].join('\n')
}

// In the words of the owner; the ledger's own stand in the JSON.
const outcomes = {
  sent: 'taken by the mail server',
  retry: 'not sent, to be tried again',
  failed: 'given up',
  interrupted: 'cut off',
  requeued: 'put back in the queue',
}

/** What happened to a lead, in the order in which it happened, and where each of its mails stands. */
function flightRecord({ reference, created_at, mails }: LeadRecord): string[] {
  const events = mails.flatMap(({ flight, ...mail }) =>
    flight.map(({ at, outcome, response }) => ({
      at,
      text: `${named(mail)}: ${outcomes[outcome] ?? outcome}`,
      response,
    })),
  )
  const line = (at: string, text: string) => `  ${officeTime(at)}  ${printable(text)}`
  return [
    line(created_at, 'received, and on disk before the visitor was thanked'),
    ...events
      .toSorted((a, b) => (a.at < b.at ? -1 : 1))
      .flatMap(({ at, text, response }) => [
        line(at, text),
        ...(response ? [`${' '.repeat(23)}${printable(response)}`] : []),
      ]),
    ...mails.map(
      (mail) => `  ${'now'.padEnd(19)}  ${printable(`${named(mail)}: ${standing(mail, reference)}`)}`,
    ),
    ...(mails.length === 0 ? [`  ${'now'.padEnd(19)}  no mail`] : []),
  ]
}

type Mail = LeadRecord['mails'][number]

const named = ({ kind, recipient }: Pick<Mail, 'kind' | 'recipient'>) =>
  `${kind === 'visitor_receipt' ? 'receipt' : 'mail'} to ${recipient}`

function standing({ state, due_at, sent_at }: Mail, reference: string): string {
  if (state === 'sent') return sent_at ? `delivered ${officeTime(sent_at)}` : 'delivered'
  if (state === 'failed') return `given up; to send it again: leads resend ${reference} --failed`
  if (state === 'sending') return 'being sent'
  return `waiting, next attempt ${officeTime(due_at)}`
}
