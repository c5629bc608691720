import type { EmailKind, FailureCause } from '../database/schema.ts'

/** An email to one recipient, or a lead for the webhook, that a worker is sending. `attempts` includes this attempt. */
export type Email = {
  id: number
  kind: EmailKind
  priority: number
  /** The lead that the email is about; null for digests, lists of leads and sign-in emails. */
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

export type NewEmail = Pick<Email, 'kind' | 'recipient' | 'messageId'> & {
  leadId?: string
  content?: string
  /** Whether the email is about suspected spam. If so, it is sent after the owner's other emails. */
  isSuspect?: boolean
}

/**
 * The server's reply; `smtpCode` is null if it had no code. `isBounce`: the visitor's mailbox doesn't exist. `cause`: of a
 * failure; the server if it isn't given.
 */
export type Reply = { smtpCode: number | null; response: string; isBounce?: boolean; cause?: FailureCause }

/**
 * Emails with lower numbers are sent first. Stored in the database. `urgent` is for codes and answers, `owner` for notices and
 * everything else that goes to the owner, and `low` for receipts and for notices of suspected spam.
 */
export const priorities = { urgent: 0, owner: 1, low: 2, webhook: 3 } as const

const urgentKinds: readonly EmailKind[] = ['sign_in', 'answer', 'answer_copy', 'answer_trouble']

export function priorityOf({ kind, isSuspect = false }: Pick<NewEmail, 'kind' | 'isSuspect'>): number {
  if (kind === 'webhook') return priorities.webhook
  if (kind === 'visitor_receipt' || isSuspect) return priorities.low
  return urgentKinds.includes(kind) ? priorities.urgent : priorities.owner
}

/**
 * Whether an email goes to a visitor. If so, retrying after a rejection is usually pointless: nobody can correct an address
 * that a visitor mistyped. An owner's address is a setting, which can be corrected.
 */
export const isToVisitor = (kind: EmailKind): boolean => kind === 'visitor_receipt' || kind === 'answer'

/** The part of an address after the `@`, used in Message-IDs. */
export const domainOf = ({ address }: { address: string }): string =>
  address.slice(address.lastIndexOf('@') + 1)
