import { setImmediate } from 'node:timers/promises'
import { type Selectable, sql } from 'kysely'
import type { LeadView } from '#shared/inbox/lead.ts'
import { eventInWords, sourceInWords } from '#shared/inbox/words.ts'
import { officeTime } from '#shared/office-time.ts'
import type { Database, Schema } from '../database/schema.ts'
import { jsonField } from '../database/shared-database.ts'
import { deliveries, readEmails, summarize } from '../leads/email-states.ts'
import { lowestIdSince } from '../leads/lead-id.ts'
import { isOpenSuspect, parseReasons, parseSource } from '../leads/lead-store.ts'
import { leadsIn, pageOf } from '../leads/lists/lists.ts'
import { cameAt, filesOf } from '../leads/messages/message-text.ts'
import { readReference } from '../leads/reference.ts'
import { hasAddress, hasTerms, isFrom, searchTerms } from '../leads/search/search-terms.ts'
import { inChunks } from './xlsx.ts'

/**
 * `bounced` is a state of the receipt, which goes to the visitor. The others are states of the
 * notices to the owners.
 */
export const mailStates = [...deliveries, 'bounced'] as const
export type LeadFilter = {
  since?: Date
  mail?: (typeof mailStates)[number]
  /** One of the inbox's lists. */
  view?: LeadView
  /** Finds the same leads as a search in the inbox. */
  search?: string
  /** Only leads from this email address, ignoring case. */
  address?: string
}

type LeadRow = Selectable<Schema['leads']>

// A lead can have a million characters of messages: reading those of many leads at once would block
// the server.
const AT_ONCE = 10

/** A lead with what is stored about it, as printed by `--json`. */
export type LeadRecord = Awaited<ReturnType<typeof addEmails>>[number]

export type EventRecord = LeadRecord['events'][number]

/**
 * Reads the leads that match the filter, in the order of its view or, by default, newest first.
 * Uses constant memory, and pages, because during one long read, SQLite could not truncate its
 * write-ahead log. In every view except `all`, a lead that changes during the read can be missed,
 * because it can move to a page that was already read.
 */
export async function* readLeads(db: Database, filter: LeadFilter = {}): AsyncGenerator<LeadRecord> {
  let last: LeadRow | undefined
  do {
    const rows = await recordsAfter(db, filter, last).execute()
    yield* await addEmails(db, rows, filter)
    last = rows.length === AT_ONCE ? rows.at(-1) : undefined
    // better-sqlite3 is synchronous. This pause lets Node handle signals and free prepared
    // statements.
    await setImmediate()
  } while (last)
}

export async function findRecord(db: Database, reference: string): Promise<LeadRecord | undefined> {
  const rows = await db.selectFrom('leads').selectAll().where('reference', '=', reference).execute()
  return (await addEmails(db, rows))[0]
}

/** Builds the query for the page that starts after the lead `last`. */
export function recordsAfter(
  db: Database,
  { since, view = 'all', search, address }: LeadFilter,
  last?: LeadRow,
) {
  let query = leadsIn(db, view, new Date()).selectAll()
  if (since) {
    query = query.where('id', '>=', lowestIdSince(since))
    query = query.where('created_at', '>=', since.toISOString())
  }
  if (search) query = query.where(isFoundBy(db, search))
  if (address) query = query.where(sql<boolean>`lower(email) = lower(${address})`)
  return pageOf(query, view, last && [last.sort_key, last.id], AT_ONCE)
}

function isFoundBy(db: Database, search: string) {
  const terms = searchTerms(search)
  const hasAllTerms =
    terms.length > 0 ? sql<boolean>`${hasTerms(terms)} and ${hasAddress(db, search)}` : sql<boolean>`false`
  return sql<boolean>`(reference = ${readReference(search) ?? ''}
    or ${isFrom(search, 'id')}
    or exists (select 1 from lead_texts where lead_id = leads.id and ${hasAllTerms}))`
}

async function addEmails(db: Database, rows: LeadRow[], { mail }: LeadFilter = {}) {
  if (rows.length === 0) return []
  const ids = rows.map(({ id }) => id)
  const emailsOf = await readEmails(db, ids)
  const eventsOf = await readEvents(db, ids)
  const leads = rows.map((stored) => {
    const { spam_reasons, source, list: _, sort_key: __, client: ___, form_token: ____, ...row } = stored
    const emails = emailsOf(row.id)
    return {
      ...row,
      spam_reasons: parseReasons(spam_reasons),
      source: parseSource(source),
      ...summarize(emails),
      events: (eventsOf.get(row.id) ?? []).map(
        ({ lead_id: _, joined, received, receivedAt, files, ...event }) => ({
          ...event,
          at: cameAt(event.at, { receivedAt: receivedAt ?? event.at }),
          isNewEmail: joined === 'address',
          files: filesOf({ received, files }),
        }),
      ),
      emails,
    }
  })
  return leads.filter(({ delivery, receipt_bounced }) =>
    mail === 'bounced' ? receipt_bounced : !mail || delivery === mail,
  )
}

async function readEvents(db: Database, ids: readonly string[]) {
  const events = await db
    .selectFrom('lead_events')
    .select(['lead_id', 'at', 'who', 'what', 'from_value', 'to_value', 'text', 'recipient', 'joined'])
    .select(['files', jsonField(db, 'received', 'attachments').as('received')])
    .select(jsonField(db, 'received', 'receivedAt').as('receivedAt'))
    .where('lead_id', 'in', ids)
    .orderBy('id')
    .execute()
  return Map.groupBy(events, ({ lead_id }) => lead_id)
}

/**
 * A lead's state in words: "open", "suspect", "open, won, follow up 2026-03-05 14:00" and so on.
 */
export function leadState(lead: LeadRecord): string {
  const { state, result, follow_up_at } = lead
  const isPostponed = follow_up_at && state !== 'spam'
  return [
    isOpenSuspect(lead) && !isPostponed ? 'suspect' : state,
    ...(result ? [result] : []),
    ...(isPostponed ? [`follow up ${officeMinute(follow_up_at)}`] : []),
  ].join(', ')
}

/** What happened to a lead, in words: "wrote again", "set a follow-up for 2026-03-05 14:00". */
export const whatHappened = ({ from_value: from, to_value: to, ...event }: EventRecord): string =>
  eventInWords({ ...event, from, to }, (time) => (time.includes('T') ? officeMinute(time) : time))

/** "2026-03-05 14:00". */
const officeMinute = (time: string) => officeTime(time).slice(0, 16)

/** The state of a lead's emails, in a word or two. */
export function mailState({ delivery, receipt_bounced }: LeadRecord): string {
  return receipt_bounced ? `${delivery}, bounced` : delivery
}

/** Where a lead came from, in words; empty if nothing is known. */
export function sourceOf({ source }: LeadRecord): string {
  return sourceInWords(source) ?? ''
}

/** Everything that is stored, as a JSON array with one lead per line. */
export const toJsonArray = (read: () => AsyncIterable<object>): AsyncGenerator<string> =>
  inChunks(jsonLines(read()))

async function* jsonLines(leads: AsyncIterable<object>) {
  let separator = '[\n'
  for await (const lead of leads) {
    yield separator + JSON.stringify(lead)
    separator = ',\n'
  }
  yield separator === ',\n' ? '\n]\n' : '[]\n'
}
