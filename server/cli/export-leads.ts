import { hours } from '#facts/hours.ts'
import { officeTime } from '../leads/office-time.ts'
import { isOpenSuspect } from '../leads/spam-score.ts'
import { BYTE_ORDER_MARK, toCsvRow, toRawCsvRow } from './csv.ts'
import { leadSource, leadState, mailState } from './format-lead.ts'
import type { LeadRecord } from './read-leads.ts'

const CHUNK_LENGTH = 64 * 1024

type Columns = Record<string, (lead: LeadRecord) => string>

const columns: Columns = {
  Reference: ({ reference }) => reference,
  'First name': ({ first_name }) => first_name,
  'Last name': ({ last_name }) => last_name,
  Email: ({ email }) => email,
  Phone: ({ phone }) => phone,
  Company: ({ company }) => company,
  Website: ({ website }) => website,
  Budget: ({ budget }) => budget,
  Message: ({ message }) => message,
  State: leadState,
  Mail: mailState,
  Spam: (lead) => (isOpenSuspect(lead) ? 'suspect' : ''),
}
const spreadsheetColumns: Columns = {
  [`Received (${hours.timeZone})`]: ({ created_at }) => officeTime(created_at),
  ...columns,
  Source: leadSource,
  [`Answered (${hours.timeZone})`]: ({ answered_at }) => (answered_at ? officeTime(answered_at) : ''),
}
const rawColumns: Columns = {
  Received: ({ created_at }) => created_at,
  ...columns,
  Source: ({ source }) => JSON.stringify(source),
  Answered: ({ answered_at }) => answered_at ?? '',
}

/** CSV for spreadsheets: escapes formulas, and gives times in the office's time zone. */
export async function* toCsv(leads: AsyncIterable<LeadRecord>): AsyncGenerator<string> {
  yield BYTE_ORDER_MARK
  yield* rows(spreadsheetColumns, toCsvRow, leads)
}

/** CSV for programs: values as stored, times in UTC. */
export const toRawCsv = (leads: AsyncIterable<LeadRecord>): AsyncGenerator<string> =>
  rows(rawColumns, toRawCsvRow, leads)

async function* rows(columns: Columns, toRow: typeof toCsvRow, leads: AsyncIterable<LeadRecord>) {
  yield toRow(Object.keys(columns))
  for await (const lead of leads) yield toRow(Object.values(columns).map((cell) => cell(lead)))
}

/** Everything that is stored, as a JSON array with one lead per line. */
export async function* toJsonArray(leads: AsyncIterable<LeadRecord>): AsyncGenerator<string> {
  let separator = '[\n'
  for await (const lead of leads) {
    yield separator + JSON.stringify(lead)
    separator = ',\n'
  }
  yield separator === ',\n' ? '\n]\n' : '[]\n'
}

/** Joins small pieces to save system calls. */
export async function* inChunks(pieces: AsyncIterable<string>): AsyncGenerator<string> {
  let chunk = ''
  for await (const piece of pieces) {
    chunk += piece
    if (chunk.length < CHUNK_LENGTH) continue
    yield chunk
    chunk = ''
  }
  yield chunk
}
