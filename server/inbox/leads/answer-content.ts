import { sql } from 'kysely'

/**
 * What the email says. It is fixed when the owner presses Send, so that every attempt sends the same bytes. Stored as
 * JSON in `outbox.content`.
 */
export type AnswerContent = {
  key: string
  text: string
  /** The address of the owner who answers. */
  owner: string
  at: string
  /** The Message-ID of the receipt that the answer replies to, or null. */
  repliesTo: string | null
}

/**
 * Whether no worker has touched an email of an answer yet: each claim changes at least one of these columns, and so does
 * a restart that releases the claim. For `outbox` rows of the kinds `answer` and `answer_copy`.
 */
export const isUndoable = sql<boolean>`state = 'queued' and attempts = 0 and due_at = queued_at`

/** Both emails of an answer, whatever the domain in their Message-IDs. */
export const emailsOf = (leadId: string, key: string) =>
  sql<boolean>`lead_id = ${leadId} and kind in ('answer', 'answer_copy') and message_id like ${`<${key}.%`}`
