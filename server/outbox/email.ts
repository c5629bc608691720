import type { EmailKind, FailureCause } from '../database/schema.ts'

/** An email to one recipient, or a post to the webhook, that a worker is sending. `attempts` includes this attempt. */
export type Job = {
  id: number
  kind: EmailKind
  /** The lead that the email is about; null for digests, lists of late leads and sign-in emails. */
  leadId: string | null
  /** JSON with what the email says; null if the lead contains all of it. */
  content: string | null
  recipient: string
  attempts: number
  queuedAt: string
  messageId: string
  /** Why the attempt before this one failed. If it was the content, this attempt leaves out the visitor's text. */
  cause: FailureCause | null
}

export type NewEmail = Pick<Job, 'kind' | 'recipient' | 'messageId'> & {
  leadId?: string
  content?: string
  /** Whether the email is about suspected spam. If so, it is sent after the owner's other emails. */
  isSuspect?: boolean
}

/**
 * The mail server's reply; `smtpCode` is null if it had no code. `isBounce`: the visitor's mailbox doesn't exist. `cause`: of
 * a failure; the mail server if it isn't given.
 */
export type Reply = { smtpCode: number | null; response: string; isBounce?: boolean; cause?: FailureCause }

/** The reply that the delivery log has for an email that a list of several leads replaces. */
export const LISTED: Reply = { smtpCode: null, response: 'the next list of requests names this one' }

/**
 * Which lanes (loops that send emails) send an email, and in which order: see `laneRules`. Stored in the database. Notices of
 * leads come after other emails to or from owners, because strangers can cause thousands in a minute: a code or an answer must
 * not wait.
 */
export const priorities = { urgent: -1, notice: 0, suspect: 1, visitor: 2, webhook: 3, signIn: 4 } as const

export function priorityOf({ kind, isSuspect = false }: Pick<NewEmail, 'kind' | 'isSuspect'>): number {
  if (kind === 'visitor_receipt') return priorities.visitor
  if (kind === 'webhook') return priorities.webhook
  if (kind === 'sign_in') return priorities.signIn
  if (isSuspect) return priorities.suspect
  return kind === 'owner_notice' ? priorities.notice : priorities.urgent
}
