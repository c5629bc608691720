import { type Selectable, type Selection, type SelectQueryBuilder, sql } from 'kysely'
import { MAX_COUNTED } from '#shared/inbox/api.ts'
import { type LeadPage, type LeadRow, type LeadView, PAGE_SIZE } from '#shared/inbox/lead.ts'
import { addressDoubt } from '#shared/inbox/words.ts'
import type { Database, Schema } from '../../database/schema.ts'
import { jsonField } from '../../database/shared-database.ts'
import { Problem } from '../../errors/problem.ts'
import { answerStuckSince, hasBouncedReceipt } from '../../outbox/backlog.ts'
import { SUSPECT_FROM } from '../../spam/spam-score.ts'
import { ownerName } from '../answers/answer-email.ts'
import { wasUndone } from '../change/change-lead.ts'
import { firstWords } from '../first-words.ts'
import { isOpenSuspect } from '../lead-store.ts'
import { fileNames } from '../messages/message-text.ts'
import { isForLater } from './sort-key.ts'

/** A lead's position in a list: its sort key and its id. */
type Position = readonly [key: string, id: string]

/**
 * One page of a view. Pages begin after a position, never at an offset, so that the last page is as
 * fast as the first.
 */
export async function listLeads(
  db: Database,
  { view, after, now, owner }: { view: LeadView; after: Position | undefined; now: Date; owner?: string },
): Promise<LeadPage> {
  const leads = leadsIn(db, view, now)
    .selectAll('leads')
    .select(rowColumns(db, owner, now))
  const rows = await pageOf(leads, view, after, PAGE_SIZE + 1).execute()
  return toPage(rows, (last) => [last.sort_key, last.id])
}

/** A page from its rows, and one more if there is a next page. */
export function toPage(rows: Row[], positionOf: (last: Row) => Position): LeadPage {
  const page = rows.slice(0, PAGE_SIZE)
  const last = rows.length > PAGE_SIZE && page.at(-1)
  return {
    leads: page.map(toLeadRow),
    // A cursor. The browser only sends it back unread, so its format may change.
    next: last ? Buffer.from(positionOf(last).join(' ')).toString('base64url') : null,
  }
}

/**
 * Selects the leads of a view. A future follow-up is in the list `open`, but only the view `later`
 * shows it. The views of results show all leads with that result, also those that are in `open`.
 */
export function leadsIn(
  db: Database,
  view: LeadView,
  now: Date,
): SelectQueryBuilder<Schema, 'leads', object> {
  const leads = db.selectFrom('leads')
  if (view === 'all') return leads
  if (view === 'later') return leads.where('list', '=', 'open').where(isForLater(now))
  if (view === 'open') return leads.where('list', '=', 'open').where(({ not }) => not(isForLater(now)))
  if (view === 'won' || view === 'lost') return leads.where('result', '=', view)
  return leads.where('list', '=', view)
}

/**
 * One page of leads, in the order of a view: open leads begin with the most urgent, all others with
 * the newest. The lists of all leads, and of results, are in the order of their ids, which is that
 * of their arrival.
 */
export function pageOf<Columns>(
  leads: SelectQueryBuilder<Schema, 'leads', Columns>,
  view: LeadView,
  after: Position | undefined,
  size: number,
): SelectQueryBuilder<Schema, 'leads', Columns> {
  if (view === 'all' || view === 'won' || view === 'lost') {
    const page = leads.orderBy('id', 'desc').limit(size)
    return after ? page.where('id', '<', after[1]) : page
  }
  const isUrgentFirst = view === 'open' || view === 'later'
  const direction = isUrgentFirst ? 'asc' : 'desc'
  const page = leads.orderBy('sort_key', direction).orderBy('id', direction).limit(size)
  if (!after) return page
  const follows = sql.raw(isUrgentFirst ? '>' : '<')
  return page.where(sql<boolean>`(sort_key, id) ${follows} (${after[0]}, ${after[1]})`)
}

/**
 * Selects the leads that wait for a promised reply: those in the view "Open" whose state is `open`.
 * This leaves out suspected spam, and leads whose follow-up has not come yet.
 */
export const waitingLeads = (db: Database, now: Date) =>
  leadsIn(db, 'open', now)
    .where('state', '=', 'open')
    // A suspect with a follow-up that has come is in this view, too.
    .where(({ or, eb }) => or([eb('spam_score', '<', SUSPECT_FROM), eb('verdict', 'is not', null)]))

/** Selects the waiting leads whose promised reply time has passed. */
export const lateLeads = (db: Database, now: Date) =>
  waitingLeads(db, now).where('due_at', '<', now.toISOString())

/**
 * Counts rows, but reads no more than `MAX_COUNTED`, so that it is fast even with a million leads.
 */
export async function countUpTo<Table extends keyof Schema>(
  db: Database,
  rows: SelectQueryBuilder<Schema, Table, object>,
): Promise<number> {
  const { count } = await db
    .selectFrom(rows.select(sql`1`.as('one')).limit(MAX_COUNTED).as('some'))
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count
}

/**
 * Decodes a cursor. Throws a Problem if it is invalid: PostgreSQL rejects text with certain
 * characters, such as NUL.
 */
export function readCursor(cursor: string | undefined): Position | undefined {
  if (cursor === undefined) return undefined
  const decoded = Buffer.from(cursor, 'base64url').toString()
  const [, key, id] = /^([\w:.-]{0,64}) ([\w:.-]{0,64})$/.exec(decoded) ?? []
  if (key !== undefined && id !== undefined) return [key, id]
  throw new Problem('invalid_input', 'This cursor is not valid. Load the list from the beginning.')
}

const WRITING_MS = 2 * 60 * 1000
// Enough for what `firstWords` shows, whatever white space is between the words.
const MAX_READ = 1_000
// Bounds the work for a flood of messages.
const MAX_UNREAD = 99

const lastReply = sql`lead_events where lead_id = leads.id and what = 'reply' order by id desc limit 1`

/** For queries of `leads`: what rows say about emails and drafts. `owner`: who sees them. */
export const rowColumns = (db: Database, owner = '', now = new Date()) => [
  hasBouncedReceipt.as('isBounced'),
  answerStuckSince.as('stuckSince'),
  sql<boolean | 0 | 1>`(exists (select 1 from lead_drafts where lead_id = leads.id and owner = ${owner})
    or exists (select 1 from files where lead_id = leads.id and owner = ${owner} and in_draft = 1
      and size is not null))`.as('hasDraft'),
  sql<boolean | 0 | 1>`exists (select 1 from leads as earlier
    where lower(earlier.email) = lower(leads.email) and earlier.id < leads.id)`.as('wroteBefore'),
  sql<string | null>`(select substr(text, 1, ${MAX_READ}) from ${lastReply})`.as('lastText'),
  sql<string | null>`(select who from ${lastReply})`.as('lastWho'),
  sql<string | null>`(select substr(text, 1, ${MAX_READ}) from ${lastReply} offset 1)`.as('textBefore'),
  sql<string | null>`(select who from ${lastReply} offset 1)`.as('whoBefore'),
  // Why there is a follow-up. Not if somebody has written since and waits.
  sql<string | null>`case when follow_up_at is not null then (select text from lead_events as notes
    where lead_id = leads.id and coalesce(text, '') <> ''
      and (what = 'note' or what in ('follow_up', 'state') and not ${wasUndone('notes')})
      and (leads.replied_at is null or id > coalesce((select max(id) from lead_events
        where lead_id = leads.id and what = 'reply'), 0))
    order by id desc limit 1) end`.as('note'),
  sql<string | null>`(select ${jsonField(db, 'received', 'attachments')} from ${lastReply})`.as('lastFiles'),
  sql<number>`(select count(*) from (select 1 from lead_events
    where lead_id = leads.id and what = 'reply' and id > leads.read_up_to limit ${MAX_UNREAD}) as messages)`.as(
    'unread',
  ),
  sql<string | null>`(select owner from lead_drafts where lead_id = leads.id and owner <> ${owner}
    and updated_at > ${writingSince(now)} order by updated_at desc limit 1)`.as('writer'),
]

/** An owner whose draft has changed since then is still writing. */
export const writingSince = (now: Date): string => new Date(now.getTime() - WRITING_MS).toISOString()

/** A lead with `rowColumns`. */
export type Row = Selectable<Schema['leads']> &
  Selection<Schema, 'leads', ReturnType<typeof rowColumns>[number]> & { found?: LeadRow['found'] }

// Leaves room for the newest one.
const BEFORE = 60

/**
 * The newest words and, if those before them are unread, too, their beginning: the yes before a PS.
 * Whoever else wrote them never seems to be the person of the lead.
 */
function wordsOf({ message, email, unread, lastText, lastWho, textBefore, whoBefore }: Row): string {
  const isElsewhere = lastWho !== null && lastWho !== email.toLowerCase()
  const from = isElsewhere ? `From ${lastWho || 'an unknown address'}: ` : ''
  const hasBefore = unread > 1 && textBefore && whoBefore === lastWho
  const before = hasBefore ? `${firstWords(textBefore, BEFORE)} / ` : ''
  return `${from}${before}${firstWords(lastText ?? message)}`
}

/** One line of a list, from a lead with the columns of the outbox. */
export const toLeadRow = (row: Row): LeadRow => ({
  reference: row.reference,
  name: `${row.first_name} ${row.last_name}`,
  company: row.company,
  budget: row.budget,
  words: wordsOf(row),
  files: fileNames(JSON.parse(row.lastFiles ?? '[]')),
  state: row.state,
  result: row.result,
  isSuspect: isOpenSuspect(row),
  isUnread: row.seen_at === null || row.unread > 0,
  unread: row.unread,
  wroteBefore: Boolean(row.wroteBefore),
  receivedAt: row.created_at,
  dueAt: row.due_at,
  followUpAt: row.follow_up_at,
  note: row.note && firstWords(row.note),
  repliedAt: row.replied_at,
  trouble: row.trouble,
  addressDoubt: row.isBounced ? addressDoubt(row.phone) : null,
  stuckSince: row.stuckSince,
  hasDraft: Boolean(row.hasDraft),
  writer: row.writer && (ownerName(row.writer) || 'Somebody'),
  version: row.version,
  found: row.found,
})
