import { sql } from 'kysely'

/**
 * The content of an answer, fixed when the owner presses Send so that every attempt sends the same bytes. Stored as JSON in
 * `outbox.content`.
 */
export type AnswerContent = {
  key: string
  text: string
  /** The address of the owner who answers. */
  owner: string
  at: string
  /** The Message-ID of the receipt that began the conversation, or null. */
  repliesTo: string | null
  /** The Message-IDs of earlier answers, oldest first. */
  earlier?: string[]
}

/**
 * An SQL condition for `outbox` rows of kind `answer` or `answer_copy`. It is true until an email worker first claims the
 * row to send it. A claim changes all of these columns except `queued_at`, and releasing it doesn't restore `due_at`.
 */
export const isUndoable = sql<boolean>`state = 'queued' and attempts = 0 and due_at = queued_at`

/**
 * Matches both emails of an answer: the visitor's, and the owner's copy. Ignores the domain of their Message-IDs, because it
 * comes from MAIL_FROM, which can change.
 */
export const emailsOf = (leadId: string, key: string) =>
  sql<boolean>`lead_id = ${leadId} and kind in ('answer', 'answer_copy') and message_id like ${`<${key}.%`}`
