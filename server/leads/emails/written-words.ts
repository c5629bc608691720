import { sql } from 'kysely'
import { count } from '#shared/count.ts'
import { filesInWords } from '#shared/files-in-words.ts'
import { inOrder } from '#shared/inbox/quotes.ts'
import type { Database, StoredMessage } from '../../database/schema.ts'
import { firstWords } from '../first-words.ts'
import { lastAnswerId, unanswered } from './reply-notices.ts'
import { stillWaiting, type Waiter } from './still-waiting.ts'

// Of the messages that wait, a reminder has the newest in full.
const MAX_TEXTS = 5

/** What somebody has written to a lead, and the address that it came from. */
export type WrittenReply = { text: string; at: string; who: string }

/** Reads what somebody wrote in the event with this key; undefined if it was erased. */
export async function readReply(db: Database, { key }: { key: string }): Promise<WrittenReply | undefined> {
  const reply = await db
    .selectFrom('lead_events')
    .select(['text', 'at', 'who', 'received'])
    .where('key', '=', key)
    .executeTakeFirst()
  return reply && { text: withQuotes(reply), at: reply.at, who: reply.who }
}

/**
 * What somebody wrote, with the first words of what it answers above each part, and the names of
 * the files below.
 */
function withQuotes({ text, received }: { text: string | null; received: string | null }): string {
  const written = text ?? ''
  const stored: StoredMessage = JSON.parse(received ?? '{"quotes":[],"attachments":[]}')
  const answered = stored.quotes.filter(({ at }) => at < written.length)
  const parts = inOrder(written, answered).map((part) =>
    part.isQuoted ? `> ${firstWords(part.text.replace(/^[>\s]+/gm, ''))}` : part.text,
  )
  return [...parts, filesInWords(stored.attachments)].filter(Boolean).join('\n\n')
}

/** From whom words are. `isTheirs`: they came from the address of the request. */
export type Author = { who: string; isTheirs: boolean }

/**
 * What waits for an answer. `texts`: the newest messages, in order, or the request. `earlier`: how
 * many messages wait besides those.
 */
export type Unanswered = Author & { texts: string[]; earlier: number }

/**
 * Reads what waits for an answer: what the person of a lead has written since the last one, or the
 * request. Only if both are answered, it's what somebody else has written, who never speaks for the
 * person; or, if nothing waits, the person's last message.
 */
export async function readUnanswered(
  db: Database,
  { id, email, message }: { id: string; email: string; message: string },
): Promise<Unanswered> {
  const person = email.toLowerCase()
  const { lastAnswer, created_at } = await db
    .selectFrom('leads')
    .select([lastAnswerId.as('lastAnswer'), 'created_at'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  const answered = await readPartlyAnswered(db, id, lastAnswer, { who: person, receivedAt: created_at })
  const replies = await unanswered(db, id)
    .where('lead_events.id', 'not in', [REQUEST, ...answered])
    .select(['who', 'text', 'received'])
    .select(sql<number>`count(*) over (partition by who)`.as('messages'))
    .orderBy(sql`case when who = ${person} then 0 else 1 end`)
    .orderBy('lead_events.id', 'desc')
    .limit(MAX_TEXTS)
    .execute()
  const [newest] = replies
  const ofPerson = (text: string) => ({ who: person, isTheirs: true, texts: [text], earlier: 0 })
  const requestWaits = lastAnswer === 0 && !answered.includes(REQUEST)
  if (newest && newest.who !== person && requestWaits) return ofPerson(message)
  if (!newest) {
    // The request still waits, if there was nothing to answer to the messages after it.
    if (lastAnswer === 0) return ofPerson(message)
    const last = await db
      .selectFrom('lead_events')
      .select(['text', 'received'])
      .where((event) => event.and({ lead_id: id, what: 'reply', who: person }))
      .orderBy('id', 'desc')
      .limit(1)
      .executeTakeFirst()
    return ofPerson(last ? withQuotes(last) : message)
  }
  const texts = replies.filter(({ who }) => who === newest.who).map(withQuotes)
  return {
    who: newest.who,
    isTheirs: newest.who === person,
    texts: texts.toReversed(),
    earlier: newest.messages - texts.length,
  }
}

// Events are numbered from 1.
const REQUEST = 0

/**
 * The events that an owner has answered from an email program while somebody else went on waiting,
 * so that this was no answer to all. `REQUEST`, if it was the request.
 */
async function readPartlyAnswered(db: Database, leadId: string, lastAnswer: number, request: Waiter) {
  const answers = await db
    .selectFrom('lead_events')
    .select(['id', 'what', 'received', 'recipient'])
    .where('lead_id', '=', leadId)
    .where('what', 'in', ['answered_by_mail', 'answer_failed'])
    .where('id', '>', lastAnswer)
    .orderBy('id')
    .execute()
  if (answers.length === 0) return []
  const messages = await unanswered(db, leadId).select(['lead_events.id', 'who', 'received']).execute()
  const parse = (received: string | null): StoredMessage => JSON.parse(received ?? '{}')
  const waiting = messages.map(({ id, who, received }) => ({ ...parse(received), id, who }))
  const isAnswered = (one: Waiter & { id: number }) =>
    answers.reduce((is, { id, what, received, recipient }) => {
      // Earlier versions did not store to whom an answer has failed.
      if (what === 'answer_failed') return is && recipient !== null && recipient !== one.who
      return is || (id > one.id && stillWaiting([one], parse(received)).length === 0)
    }, false)
  return [{ ...request, id: REQUEST }, ...waiting].filter(isAnswered).map(({ id }) => id)
}

/** Whose words these are, if they aren't the person's. */
export const fromElsewhere = ({ who, isTheirs }: Author): string[] =>
  isTheirs ? [] : [`From ${who || 'an unknown address'}, not the address of the request`]

/** What stands in a list after the newest words. */
export const andEarlier = (messages: number): string =>
  messages > 0 ? `and ${count(messages, 'message')} before it` : ''
