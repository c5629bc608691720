import { setImmediate } from 'node:timers/promises'
import { type Selectable, sql } from 'kysely'
import type { LeadView } from '#shared/inbox/lead.ts'
import { listOf } from '../../database/list-of.ts'
import type { Database, Schema } from '../../database/schema.ts'
import { deliveries, type EmailRecord, readEmails, summarize } from '../../leads/email-states.ts'
import { leadsFrom } from '../../leads/erase-person.ts'
import { officeDay } from '../../leads/office-time.ts'
import { readReference } from '../../leads/reference.ts'
import { hasTerms, searchTerms } from '../../leads/search-text.ts'
import { openSuspect, parseReasons } from '../../leads/spam-score.ts'
import { isBounced, isOpenForOwner } from '../../outbox/backlog.ts'
import { isUrgentFirst, keyOf } from '../reads/lists.ts'

/** `bounced` is a state of the receipt, which goes to the visitor. The others are states of the notices to the owners. */
export const mailStates = [...deliveries, 'bounced'] as const
export type LeadFilter = {
  since?: Date
  mail?: (typeof mailStates)[number]
  /** `true` selects only suspected spam, and `false` selects everything else. */
  suspects?: boolean
  /** One of the inbox's lists. */
  view?: LeadView
  /** Finds the same leads as a search in the inbox. */
  search?: string
}

type LeadRow = Selectable<Schema['leads']>

/** A lead with all stored data about it, as printed by `--json`. */
export type LeadRecord = Omit<LeadRow, 'spam_reasons' | 'source' | InternalColumn> &
  ReturnType<typeof summarize> & {
    spam_reasons: string[]
    source: unknown
    events: EventRecord[]
    drafts: DraftRecord[]
    emails: EmailRecord[]
  }

type InternalColumn = 'sort_key' | 'client' | 'form_token'
export type EventRecord = Omit<Selectable<Schema['lead_events']>, 'id' | 'lead_id' | 'key' | 'before'>
type DraftRecord = Omit<Selectable<Schema['lead_drafts']>, 'lead_id'>

/** Leads are read in pages, because during one long read, SQLite could not truncate its write-ahead log. */
export const PAGE_SIZE = 100
/**
 * `order` is the inbox view whose order is used. In every order except `all`, a lead that changes during the read can be
 * missed, because it can move to a page that was already read.
 */
export type Paging = { order: LeadView; pageSize: number }

/** Reads the leads that match the filter, newest first unless another order is given. Uses constant memory. */
export async function* readLeads(
  db: Database,
  filter: LeadFilter = {},
  { order = 'all', pageSize = PAGE_SIZE }: Partial<Paging> = {},
): AsyncGenerator<LeadRecord> {
  let last: LeadRow | undefined
  do {
    const rows = await leadPage(db, filter, { order, pageSize }, last).execute()
    yield* await addEmails(db, rows, filter)
    last = rows.length === pageSize ? rows.at(-1) : undefined
    // better-sqlite3 is synchronous. This pause lets Node handle signals and free prepared statements.
    await setImmediate()
  } while (last)
}

export async function findLead(db: Database, reference: string): Promise<LeadRecord | undefined> {
  const rows = await db.selectFrom('leads').selectAll().where('reference', '=', reference).execute()
  return (await addEmails(db, rows))[0]
}

/** Finds the newest lead from an email address (ignoring case), and the references of the earlier leads. */
export async function findPerson(db: Database, address: string) {
  const [newest, ...earlier] = await leadsFrom(db, address)
  const lead = newest && (await findLead(db, newest.reference))
  return { lead, earlier: earlier.map(({ reference }) => reference) }
}

/** Builds the query for the page that starts after the lead `after`. */
export function leadPage(
  db: Database,
  { since, mail, suspects, view, search }: LeadFilter,
  { order, pageSize }: Paging,
  after: LeadRow | undefined,
) {
  const key = keyOf(order)
  const [direction, follows] = isUrgentFirst(order) ? (['asc', '>'] as const) : (['desc', '<'] as const)
  let query = db
    .selectFrom('leads')
    .selectAll()
    .orderBy(key, direction)
    .orderBy('id', direction)
    .limit(pageSize)
  if (after)
    query = query.where(sql<boolean>`(${sql.ref(key)}, id) ${sql.raw(follows)} (${after[key]}, ${after.id})`)
  if (since) query = query.where('created_at', '>=', since.toISOString())
  if (suspects !== undefined) query = query.where(suspects ? openSuspect : sql<boolean>`not ${openSuspect}`)
  if (view && view !== 'all') query = query.where(isInView(view))
  if (search) query = query.where(isFoundBy(search))
  return mail && mail !== 'delivered' ? query.where(preselect[mail]) : query
}

/** The SQL condition for a view. Leads in `waiting` are open, too, but are hidden until their follow-up day. */
function isInView(view: Exclude<LeadView, 'all'>) {
  const today = officeDay(new Date())
  if (view === 'waiting') return sql<boolean>`${listOf} = 'open' and follow_up_on > ${today}`
  if (view === 'open')
    return sql<boolean>`${listOf} = 'open' and (follow_up_on is null or follow_up_on <= ${today})`
  return sql<boolean>`${listOf} = ${view}`
}

function isFoundBy(search: string) {
  const terms = searchTerms(search)
  const hasAllTerms = terms.length > 0 ? hasTerms(terms) : sql<boolean>`false`
  return sql<boolean>`(reference = ${readReference(search) ?? ''}
    or exists (select 1 from lead_texts where lead_id = leads.id and ${hasAllTerms}))`
}

// These conditions use indexes and may match too many leads. `addEmails` then checks the actual state.
const preselect = {
  failed: sql<boolean>`id in (select lead_id from outbox where state = 'failed' and kind = 'owner_notice')`,
  bounced: sql<boolean>`id in (select lead_id from outbox where ${isBounced})`,
  waiting: sql<boolean>`id in (select lead_id from outbox where ${isOpenForOwner} and kind = 'owner_notice')`,
  file: sql<boolean>`id in (select lead_id from outbox where state = 'file' and kind = 'owner_notice')`,
}

async function addEmails(db: Database, rows: LeadRow[], { mail }: LeadFilter = {}): Promise<LeadRecord[]> {
  if (rows.length === 0) return []
  const ids = rows.map(({ id }) => id)
  const emailsOf = await readEmails(db, ids)
  const eventsOf = await readEvents(db, ids)
  const draftsOf = await readDrafts(db, ids)
  const leads = rows.map(({ spam_reasons, source, sort_key: _, client: __, form_token: ___, ...row }) => {
    const emails = emailsOf(row.id)
    return {
      ...row,
      spam_reasons: parseReasons(spam_reasons),
      source: parseSource(source),
      ...summarize(emails),
      events: eventsOf(row.id),
      drafts: draftsOf(row.id),
      emails,
    }
  })
  return leads.filter(({ delivery, receipt_bounced }) =>
    mail === 'bounced' ? receipt_bounced : !mail || delivery === mail,
  )
}

/** Reads the history of these leads. Returns a function that gets one lead's events. */
async function readEvents(db: Database, leadIds: readonly string[]) {
  const events = await db
    .selectFrom('lead_events')
    .select(['lead_id', 'at', 'who', 'what', 'from_value', 'to_value', 'text'])
    .where('lead_id', 'in', leadIds)
    .orderBy('id')
    .execute()
  const eventsOf = Map.groupBy(events, ({ lead_id }) => lead_id)
  return (leadId: string): EventRecord[] =>
    (eventsOf.get(leadId) ?? []).map(({ lead_id: _, ...event }) => event)
}

/** Reads the unfinished answers to these leads. Returns a function that gets one lead's drafts. */
async function readDrafts(db: Database, leadIds: readonly string[]) {
  const drafts = await db
    .selectFrom('lead_drafts')
    .selectAll()
    .where('lead_id', 'in', leadIds)
    .orderBy('owner')
    .execute()
  const draftsOf = Map.groupBy(drafts, ({ lead_id }) => lead_id)
  return (leadId: string): DraftRecord[] =>
    (draftsOf.get(leadId) ?? []).map(({ lead_id: _, ...draft }) => draft)
}

/** Parses the JSON that says where the visitor came from. Text that isn't JSON is returned unchanged. */
function parseSource(stored: string): unknown {
  try {
    return JSON.parse(stored)
  } catch {
    return stored
  }
}
