import { type Selectable, sql } from 'kysely'
import { type LeadDetail, PAGE_SIZE } from '#shared/inbox/lead.ts'
import type { Database, Schema } from '../../database/schema.ts'
import { answerTemplate } from '../answers/answer-email.ts'
import type { AnswerContent } from '../answers/answer-lead.ts'
import { readDraft } from '../answers/drafts.ts'
import { readAttached } from '../answers/files.ts'
import { type EmailRecord, readEmails } from '../email-states.ts'
import { fromColumns, parseReasons, parseSource } from '../lead-store.ts'
import { readSenders } from '../search/senders.ts'
import { readHistory, readLastReply } from './history.ts'
import { rowColumns, toLeadRow } from './lists.ts'

// Hundreds of messages a day can come, and owners get emails about some of them.
const MAX_EMAILS = 200

type Input = { reference: string; owner: string; now: Date }
type Lead = Selectable<Schema['leads']>

/**
 * What the inbox shows about a lead, without the older part of its history; null if there is no
 * such lead.
 */
export async function readLeadDetail(
  db: Database,
  { reference, owner, now }: Input,
): Promise<LeadDetail | null> {
  const lead = await db
    .selectFrom('leads')
    .selectAll()
    .select(rowColumns(db, owner, now))
    .where('reference', '=', reference)
    .executeTakeFirst()
  if (!lead) return null
  const emails = (await readEmails(db, [lead.id], MAX_EMAILS))(lead.id)
  const history = await readHistory(db, lead.id)
  const eventOf = await readKeys(db, lead.id, emails)
  const senders = await readSenders(db, lead.id)
  return {
    ...toLeadRow(lead),
    ...fromColumns(lead),
    spamReasons: parseReasons(lead.spam_reasons),
    source: parseSource(lead.source),
    ...history,
    readUpTo: lead.read_up_to,
    lastReply: await readLastReply(db, lead.id),
    senders: senders.filter(({ address }) => address !== lead.email.toLowerCase()),
    emails: emails.map(({ kind, recipient, state, queued_at, content, log }) => ({
      kind,
      recipient,
      state,
      queuedAt: queued_at,
      about: eventOf.get(keyIn(content)) ?? null,
      attempts: log.map(({ at, outcome, response }) => ({ at, outcome, response })),
    })),
    others: await readOthers(db, lead),
    draft: await readDraft(db, lead.id, owner),
    attached: await readAttached(db, lead.id, owner),
    template: answerTemplate({ firstName: lead.first_name, isFirst: lead.answered_at === null }, owner),
    pendingAnswer: findPendingAnswer(emails, owner),
  }
}

/** The event that an email is about names it: an answer, or a message that came. */
const keyIn = (content: string | null): string => (content && JSON.parse(content).key) ?? ''

async function readKeys(db: Database, leadId: string, emails: readonly EmailRecord[]) {
  const keys = new Set(['', ...emails.map(({ content }) => keyIn(content))])
  const events = await db
    .selectFrom('lead_events')
    .select(['id', 'key'])
    .where('lead_id', '=', leadId)
    .where('key', 'in', [...keys])
    .execute()
  return new Map(events.map(({ id, key }) => [key, id]))
}

/**
 * Other requests from the same address. Limited to one page, because spammers may send thousands.
 */
const readOthers = (db: Database, { id, email }: Lead) =>
  db
    .selectFrom('leads')
    .select(['reference', 'created_at as receivedAt', 'state', 'result'])
    .where(sql<boolean>`lower(email) = lower(${email})`)
    .where('id', '<>', id)
    .orderBy('id', 'desc')
    .limit(PAGE_SIZE)
    .execute()

/** This owner's newest answer that no worker has started to send: see `isUndoable`. */
function findPendingAnswer(emails: readonly EmailRecord[], owner: string): LeadDetail['pendingAnswer'] {
  for (const { kind, state, attempts, due_at, queued_at, content } of emails.toReversed()) {
    if (kind !== 'answer' || state !== 'queued' || attempts > 0 || due_at !== queued_at || !content) continue
    const answer: AnswerContent = JSON.parse(content)
    if (answer.owner === owner) return { key: answer.key, sendsAt: due_at }
  }
  return null
}
