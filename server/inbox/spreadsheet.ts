import { hours } from '#facts/hours.ts'
import { contactFieldNames, contactFields } from '#shared/contact-request.ts'
import { officeTime } from '#shared/office-time.ts'
import { isOpenSuspect } from '../leads/lead-store.ts'
import { isMessage } from '../leads/search/senders.ts'
import { type LeadRecord, mailState, sourceOf, whatHappened } from './export-leads.ts'
import { toXlsx } from './xlsx.ts'

const columns: Record<string, (lead: LeadRecord) => string> = {
  [`Received (${hours.timeZone})`]: ({ created_at }) => officeTime(created_at),
  Reference: ({ reference }) => reference,
  ...Object.fromEntries(
    contactFieldNames.map((field) => [
      contactFields[field].label,
      (lead: LeadRecord) => lead[contactFields[field].column],
    ]),
  ),
  State: (lead) => (isOpenSuspect(lead) ? 'suspect' : lead.state),
  Result: ({ result }) => result ?? '',
  [`Follow-up (${hours.timeZone})`]: ({ follow_up_at }) => (follow_up_at ? officeTime(follow_up_at) : ''),
  Mail: mailState,
  Spam: (lead) => (isOpenSuspect(lead) ? 'suspect' : ''),
  Source: sourceOf,
  'Also wrote from': alsoWroteFrom,
  [`Answered (${hours.timeZone})`]: ({ answered_at }) => (answered_at ? officeTime(answered_at) : ''),
}

/** The addresses from which messages came, other than the lead's. */
function alsoWroteFrom({ email, events }: LeadRecord): string {
  const senders = new Set(events.filter(isMessage).map(({ who }) => who))
  senders.delete(email.toLowerCase())
  // Unknown.
  senders.delete('')
  return [...senders].join(', ')
}

/**
 * An Excel workbook with the values as visitors typed them, and times in the office's time zone: a
 * sheet of leads, and one of everything that was said about them. Reads the leads once for each.
 */
export const toSpreadsheet = (read: () => AsyncIterable<LeadRecord>): AsyncGenerator<Buffer> =>
  toXlsx({ Leads: leadRows(read()), Conversations: conversationRows(read()) })

async function* leadRows(leads: AsyncIterable<LeadRecord>) {
  yield Object.keys(columns)
  for await (const lead of leads) yield Object.values(columns).map((cell) => cell(lead))
}

async function* conversationRows(leads: AsyncIterable<LeadRecord>) {
  yield [`Time (${hours.timeZone})`, 'Reference', 'Name', 'Who', 'What', 'Words', 'Files']
  for await (const { reference, first_name, last_name, email, created_at, message, events } of leads) {
    const name = `${first_name} ${last_name}`
    yield [officeTime(created_at), reference, name, email, 'sent the request', message, '']
    for (const event of events) {
      const { at, who, what, text, files } = event
      if (what === 'seen') continue
      yield [officeTime(at), reference, name, who, whatHappened(event), text ?? '', files.join('\n')]
    }
  }
}
