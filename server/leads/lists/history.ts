import { sql } from 'kysely'
import { fileInWords } from '#shared/files-in-words.ts'
import { EVENT_CHARACTERS, EVENTS_AT_ONCE, type EventPage, type LeadEvent } from '#shared/inbox/lead.ts'
import type { Database, Joined, SentFile, StoredMessage } from '../../database/schema.ts'
import { cameAt } from '../messages/message-text.ts'

const columns = [
  'id',
  'at',
  'who',
  'what',
  'text',
  'recipient',
  'received',
  'joined',
  'files',
  'from_value as from',
  'to_value as to',
  // An undo has the key of its answer after "undo ".
  sql<number | null>`(select answers.id from lead_events as answers
    where lead_events.what = 'answer_undone' and answers.key = substr(lead_events.key, 6))`.as('undoes'),
] as const

/**
 * The newest part of a lead's history, or of what came before an event: at least one event, if
 * there is one.
 */
export async function readHistory(
  db: Database,
  leadId: string,
  before = Number.MAX_SAFE_INTEGER,
): Promise<EventPage> {
  const rows = await newestFirst(db, leadId)
    .where('id', '<', before)
    .limit(EVENTS_AT_ONCE + 1)
    .execute()
  let characters = 0
  const tooMany = rows.findIndex(({ text, received }, index) => {
    characters += (text ?? '').length + (received ?? '').length
    return index > 0 && (index === EVENTS_AT_ONCE || characters > EVENT_CHARACTERS)
  })
  const page = tooMany < 0 ? rows : rows.slice(0, tooMany)
  return { events: page.toReversed().map(toEvent), hasEarlier: page.length < rows.length }
}

/**
 * What the visitor, or somebody else from another address, has written last; null if nobody has
 * written again.
 */
export async function readLastReply(db: Database, leadId: string): Promise<LeadEvent | null> {
  const reply = await newestFirst(db, leadId).where('what', '=', 'reply').limit(1).executeTakeFirst()
  return reply ? toEvent(reply) : null
}

const newestFirst = (db: Database, leadId: string) =>
  db.selectFrom('lead_events').select(columns).where('lead_id', '=', leadId).orderBy('id', 'desc')

type Row = Omit<LeadEvent, 'message' | 'isNewEmail' | 'attachments'> & {
  received: string | null
  joined: Joined | null
  files: string | null
}

function toEvent({ received, joined, files, ...event }: Row): LeadEvent {
  if (received === null) {
    const sent: SentFile[] = JSON.parse(files ?? '[]')
    return { ...event, message: null, attachments: sent.map(fileInWords) }
  }
  const stored: StoredMessage = JSON.parse(received)
  return {
    ...event,
    at: cameAt(event.at, stored),
    isNewEmail: joined === 'address',
    message: { quotes: stored.quotes },
    attachments: stored.attachments,
  }
}
