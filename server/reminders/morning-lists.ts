import { type SelectQueryBuilder, sql } from 'kysely'
import { promiseLeft } from '#shared/inbox/promise-left.ts'
import type { Database, Schema } from '../database/schema.ts'
import { firstWords } from '../leads/first-words.ts'
import { type Lead, toLead } from '../leads/lead-store.ts'
import { lateLeads, leadsIn, rowColumns, toLeadRow } from '../leads/lists/lists.ts'
import { hasFollowUp } from '../leads/lists/sort-key.ts'
import { isStuckAnswer } from '../outbox/backlog.ts'

// The longest list that is practical in an email. The inbox shows all leads.
export const MAX_LISTED = 20
const STUCK = 'The answer is stuck: the mail server does not accept it. The server keeps trying.'

/** A lead in the morning email. `words`: a note, a draft, or what the person wrote. */
export type Waiting = {
  lead: Lead
  words: string
  /** By how much the reply is late, such as "2 h over". */
  late?: string
  /** When the reply is due, if it is not late. */
  by?: string
  /** Why an answer did not arrive, or what to do about a bounced receipt. */
  trouble?: string | null
}
/** What waits for an owner, the most urgent first. `hasMore`: the inbox shows more of them. */
export type MorningLists = Record<'followUps' | 'late' | 'drafts' | 'troubles', Waiting[]> & {
  hasMore: boolean
}

export const noLists: MorningLists = { followUps: [], late: [], drafts: [], troubles: [], hasMore: false }

/**
 * Reads what waits for an owner when the office opens, which is `at`. A lead with a follow-up isn't
 * late, because an owner chose its day. Drafts are the owner's own; everything else concerns all
 * owners. `show` may leave out what visitors wrote.
 */
export async function readMorning(
  db: Database,
  { owner, at, show }: { owner: string; at: Date; show: (lead: Lead) => Lead },
): Promise<MorningLists> {
  const columnsOf = (leads: SelectQueryBuilder<Schema, 'leads', object>) =>
    leads
      .selectAll('leads')
      .select(rowColumns(db))
      .limit(MAX_LISTED + 1)
  const open = () =>
    columnsOf(leadsIn(db, 'open', at))
      .orderBy('sort_key')
      .orderBy('id')
  const all = columnsOf(db.selectFrom('leads'))
  const followUps = await open().select(lastNote.as('note')).where(hasFollowUp).execute()
  const late = await columnsOf(lateLeads(db, at))
    .where('follow_up_at', 'is', null)
    .where('trouble', 'is', null)
    .orderBy('sort_key')
    .orderBy('id')
    .execute()
  const drafts = await all
    .innerJoin('lead_drafts', 'lead_id', 'leads.id')
    .select('text as draft')
    .where('owner', '=', owner)
    .where('updated_at', '<', at.toISOString())
    .where('list', 'in', ['open', 'suspects', 'answered'])
    .where('trouble', 'is', null)
    .orderBy('updated_at', 'desc')
    .execute()
  const failed = await open().where('trouble', 'is not', null).where('follow_up_at', 'is', null).execute()
  const ofStuck = db.selectFrom('outbox').select(sql<string>`lead_id`.as('id')).where(isStuckAnswer)
  const stuck = await all.where('id', 'in', ofStuck).where('trouble', 'is', null).execute()
  const listed = (row: Row, words: string): Waiting => ({ lead: show(toLead(row)), words: firstWords(words) })
  return {
    followUps: followUps.map((row) => listed(row, row.note ?? row.message)),
    late: late.map((row) => ({ ...listed(row, row.message), ...lateness(row, at) })),
    drafts: drafts.map((row) => listed(row, row.draft)),
    troubles: [...failed, ...stuck].map((row) => ({ ...listed(row, ''), trouble: row.trouble ?? STUCK })),
    hasMore: [followUps, late, drafts, failed, stuck].some(({ length }) => length > MAX_LISTED),
  }
}

type Row = Parameters<typeof toLeadRow>[0]

function lateness(row: Row, at: Date) {
  const { receivedAt, dueAt, addressDoubt } = toLeadRow(row)
  return { late: promiseLeft({ receivedAt, dueAt }, at.getTime()).words, trouble: addressDoubt }
}

const lastNote = sql<string | null>`(select text from lead_events
  where lead_id = leads.id and what = 'note' order by id desc limit 1)`
