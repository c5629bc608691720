import { hours } from '#facts/hours.ts'
import { contactFieldNames, contactFields } from '#shared/contact-request.ts'
import { sourceInWords } from '#shared/inbox/words.ts'
import { officeTime } from '../../leads/office-time.ts'
import { isOpenSuspect } from '../../leads/spam-score.ts'
import type { LeadRecord } from './read-leads.ts'
import { inChunks, toXlsx } from './xlsx.ts'

const columns: Record<string, (lead: LeadRecord) => string> = {
  [`Received (${hours.timeZone})`]: ({ created_at }) => officeTime(created_at),
  Reference: ({ reference }) => reference,
  ...Object.fromEntries(
    contactFieldNames.map((field) => [
      contactFields[field].label,
      (lead: LeadRecord) => lead[contactFields[field].column],
    ]),
  ),
  State: leadState,
  Mail: mailState,
  Spam: (lead) => (isOpenSuspect(lead) ? 'suspect' : ''),
  Source: leadSource,
  [`Answered (${hours.timeZone})`]: ({ answered_at }) => (answered_at ? officeTime(answered_at) : ''),
}

/** A lead's state in words: "open", "suspect", "open, follow up on 2026-03-05" and so on. */
export function leadState(lead: LeadRecord): string {
  const { state, follow_up_on } = lead
  if (follow_up_on && (state === 'open' || state === 'answered'))
    return `${state}, follow up on ${follow_up_on}`
  return isOpenSuspect(lead) ? 'suspect' : state
}

/** The state of a lead's emails, in a word or two. */
export function mailState({ delivery, receipt_bounced }: LeadRecord): string {
  return receipt_bounced ? `${delivery}, bounced` : delivery
}

/** Where a lead came from, in words; empty if nothing is known. */
export function leadSource({ source }: LeadRecord): string {
  return sourceInWords(source) ?? ''
}

/** An Excel workbook with the values as visitors typed them, and times in the office's time zone. */
export const toSpreadsheet = (leads: AsyncIterable<LeadRecord>): AsyncGenerator<Buffer> => toXlsx(rows(leads))

async function* rows(leads: AsyncIterable<LeadRecord>) {
  yield Object.keys(columns)
  for await (const lead of leads) yield Object.values(columns).map((cell) => cell(lead))
}

/** Everything that is stored, as a JSON array with one lead per line. */
export const toJsonArray = (leads: AsyncIterable<LeadRecord>): AsyncGenerator<string> =>
  inChunks(jsonLines(leads))

async function* jsonLines(leads: AsyncIterable<LeadRecord>) {
  let separator = '[\n'
  for await (const lead of leads) {
    yield separator + JSON.stringify(lead)
    separator = ',\n'
  }
  yield separator === ',\n' ? '\n]\n' : '[]\n'
}
