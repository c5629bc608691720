import { isSuspect } from '../leads/spam-score.ts'
import type { LeadOverview, LeadRecord } from './read-leads.ts'

const GAP = '  '

/** Text from a stranger, made harmless for a terminal: no control characters, no change of direction. */
const printable = (text: string) => text.replace(/[\p{C}]/gu, ' ')
const minute = (time: string) => time.slice(0, 16).replace('T', ' ')

/** The leads as a table no wider than the terminal; the last column, the message, gives way first. */
export function formatLeadTable(leads: LeadOverview[], columns = Number.POSITIVE_INFINITY): string {
  if (leads.length === 0) return 'No leads yet.'
  const head = ['RECEIVED (UTC)', 'REFERENCE', 'MAIL', 'NAME', 'EMAIL', 'BUDGET', 'SPAM', 'MESSAGE']
  const rows = leads.map((lead) =>
    [
      minute(lead.created_at),
      lead.reference,
      lead.delivery,
      lead.name,
      lead.email,
      lead.budget || '-',
      isSuspect(lead.spam_score) ? 'suspect' : '-',
      lead.message,
    ].map(printable),
  )
  const widths = head.map((title, column) =>
    Math.min(40, Math.max(title.length, ...rows.map((row) => row[column]?.length ?? 0))),
  )
  const line = (cells: string[]) =>
    clip(
      cells
        .map((cell, column) => clip(cell, widths[column] ?? 0).padEnd(widths[column] ?? 0))
        .join(GAP)
        .trimEnd(),
      columns,
    )
  return [head, ...rows].map(line).join('\n')
}

const clip = (text: string, width: number) => (text.length > width ? `${text.slice(0, width - 1)}…` : text)

/** One lead as its owner reads it: the fields, the message, and the way of its mails. */
export function formatLead(lead: LeadRecord): string {
  const fields = [
    ['Reference', lead.reference],
    ['Received', `${minute(lead.created_at)} UTC`],
    ['Name', lead.name],
    ['Email', lead.email],
    ['Phone', lead.phone],
    ['Company', lead.company],
    ['Website', lead.website],
    ['Budget', lead.budget],
  ] as const
  const flight = lead.flight.map(
    ({ at, recipient, outcome, response }) =>
      `  ${minute(at)}  ${outcome.padEnd(11)}  ${recipient}  ${printable(response)}`,
  )
  return [
    ...fields.map(([label, value]) => `${label.padEnd(10)} ${printable(value) || '-'}`),
    '',
    ...lead.message.split('\n').map((text) => `  ${printable(text)}`),
    '',
    `Mail       ${lead.delivery}, ${lead.attempts} ${lead.attempts === 1 ? 'attempt' : 'attempts'}`,
    ...flight,
    `Spam       ${isSuspect(lead.spam_score) ? 'suspect' : 'no'}, score ${lead.spam_score}`,
    ...(lead.spam_reasons ? [`  ${lead.spam_reasons}`] : []),
  ].join('\n')
}
