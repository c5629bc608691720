import { setImmediate as nextTurn } from 'node:timers/promises'
import { type SelectQueryBuilder, sql } from 'kysely'
import { promiseLeft } from '#shared/inbox/promise-left.ts'
import { officeDay, startOfOfficeDay } from '#shared/office-time.ts'
import { officeTimeInWords } from '#shared/office-time-in-words.ts'
import type { Database, Schema } from '../database/schema.ts'
import { readUnanswered, type Unanswered } from '../leads/emails/written-words.ts'
import { firstWords } from '../leads/first-words.ts'
import { type Lead, toLead } from '../leads/lead-store.ts'
import { lateLeads, leadsIn, rowColumns, toLeadRow, waitingLeads } from '../leads/lists/lists.ts'
import { hasFollowUp } from '../leads/lists/sort-key.ts'
import { isStuckAnswer } from '../outbox/backlog.ts'

// The longest list that is practical in an email. The inbox shows all leads.
export const MAX_LISTED = 20
const STUCK = 'The answer is stuck: the mail server does not accept it. The server keeps trying.'

/** A lead in the morning email. `words`: a note or a draft, in place of what waits there. */
export type Waiting = {
  lead: Lead
  words?: string
  unanswered?: Unanswered | undefined
  /** By how much the reply is late, such as "2 h over". */
  late?: string
  /** When the reply is due, if it is not late, or when to follow up. */
  by?: string
  /** Why an answer did not arrive, or what to do about a bounced receipt. */
  trouble?: string | null
}
/** What waits for an owner, the most urgent first: of each list, one more than MAX_LISTED. */
export type MorningLists = Record<'followUps' | 'late' | 'due' | 'drafts' | 'troubles', Waiting[]>

export const noLists: MorningLists = { followUps: [], late: [], due: [], drafts: [], troubles: [] }

/**
 * Reads what waits for an owner on the day of `at`. A lead with a follow-up isn't late, because an
 * owner chose its time. Drafts are the owner's own; everything else concerns all owners. `show` may
 * leave out what visitors wrote.
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
  const inOrder = (leads: SelectQueryBuilder<Schema, 'leads', object>) =>
    columnsOf(leads).orderBy('sort_key').orderBy('id')
  const withoutFollowUp = (leads: SelectQueryBuilder<Schema, 'leads', object>) =>
    inOrder(leads).where('follow_up_at', 'is', null)
  const all = columnsOf(db.selectFrom('leads'))
  const endOfDay = startOfOfficeDay(officeDay(at, 1))
  const followUps = await inOrder(leadsIn(db, 'open', endOfDay))
    .where(hasFollowUp)
    .execute()
  const late = await withoutFollowUp(lateLeads(db, at)).where('trouble', 'is', null).execute()
  const due = await withoutFollowUp(waitingLeads(db, at))
    .where('trouble', 'is', null)
    .where('due_at', '>=', at.toISOString())
    .where('due_at', '<', endOfDay.toISOString())
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
  const failed = await withoutFollowUp(leadsIn(db, 'open', at))
    .where('trouble', 'is not', null)
    .execute()
  const ofStuck = db.selectFrom('outbox').select(sql<string>`lead_id`.as('id')).where(isStuckAnswer)
  const stuck = await all.where('id', 'in', ofStuck).where('trouble', 'is', null).execute()
  const listed = (row: Row, words: string): Waiting => ({ lead: show(toLead(row)), words: firstWords(words) })
  /** One lead at a time, so that the server can answer requests between them. */
  async function waiting<One extends Row>(rows: readonly One[], more: (row: One) => Partial<Waiting>) {
    const list: Waiting[] = []
    for (const row of rows) {
      await nextTurn()
      list.push({ lead: show(toLead(row)), unanswered: await readUnanswered(db, row), ...more(row) })
    }
    return list
  }
  return {
    followUps: await waiting(followUps, ({ follow_up_at, note }) => ({
      by: officeTimeInWords(Date.parse(follow_up_at ?? '')),
      ...(note !== null && { words: firstWords(note), unanswered: undefined }),
    })),
    late: await waiting(late, (row) => lateness(row, at)),
    due: await waiting(due, ({ due_at }) => ({ by: `Reply by ${officeTimeInWords(Date.parse(due_at))}` })),
    drafts: drafts.map((row) => listed(row, row.draft)),
    troubles: [...failed, ...stuck].map((row) => ({ ...listed(row, ''), trouble: row.trouble ?? STUCK })),
  }
}

type Row = Parameters<typeof toLeadRow>[0]

function lateness(row: Row, at: Date) {
  const { dueAt, addressDoubt } = toLeadRow(row)
  return { late: promiseLeft({ dueAt }, at.getTime()).words, trouble: addressDoubt }
}
