import type { Insertable } from 'kysely'
import { prepared } from '../database/prepared.ts'
import type { Database, EmailKind, FailureCause, Schema } from '../database/schema.ts'

/**
 * An email to one recipient, or a lead for the webhook, that a worker is sending. `attempts`
 * includes this attempt.
 */
export type Email = {
  id: number
  kind: EmailKind
  priority: number
  /** The lead that the email is about; null for lists of leads and sign-in emails. */
  leadId: string | null
  /** JSON with what the email says; null if the lead contains all of it. */
  content: string | null
  recipient: string
  attempts: number
  queuedAt: string
  messageId: string
  /**
   * Why the attempt before this one failed. If it was the content, this attempt leaves out the
   * visitor's text.
   */
  cause: FailureCause | null
}

export type NewEmail = Pick<Email, 'kind' | 'recipient' | 'messageId'> & {
  leadId?: string
  content?: string
  /**
   * Whether the email is about suspected spam. If so, it is sent after the owner's other emails.
   */
  isSuspect?: boolean
}

/**
 * The server's reply; `smtpCode` is null if it had no code. `cause`: of a failure; the server if it
 * isn't given.
 */
export type ServerReply = {
  smtpCode: number | null
  response: string
  cause?: FailureCause
}

/**
 * Emails with lower numbers are sent first. Stored in the database. `urgent` is for codes and
 * answers, `owner` for notices and everything else that goes to the owner, and `low` for receipts
 * and for notices of suspected spam.
 */
export const priorities = { urgent: 0, owner: 1, low: 2, webhook: 3 } as const

/**
 * How urgent each kind is, and to whom it goes: `asker` is whoever asked for a code, even if
 * MAIL_TO has changed, and `program` is the one at LEAD_WEBHOOK_URL.
 */
const kinds = {
  sign_in: { priority: 'urgent', to: 'asker' },
  answer: { priority: 'urgent', to: 'visitor' },
  answer_copy: { priority: 'urgent', to: 'owner' },
  answer_trouble: { priority: 'urgent', to: 'owner' },
  owner_notice: { priority: 'owner', to: 'owner' },
  notice_list: { priority: 'owner', to: 'owner' },
  reminder: { priority: 'owner', to: 'owner' },
  follow_up: { priority: 'owner', to: 'owner' },
  morning: { priority: 'owner', to: 'owner' },
  mailbox_trouble: { priority: 'owner', to: 'owner' },
  visitor_receipt: { priority: 'low', to: 'visitor' },
  webhook: { priority: 'webhook', to: 'program' },
} as const satisfies Record<EmailKind, { priority: keyof typeof priorities; to: string }>

const priorityOf = ({ kind, isSuspect }: Pick<NewEmail, 'kind' | 'isSuspect'>): number =>
  priorities[isSuspect ? 'low' : kinds[kind].priority]

const allKinds = Object.keys(kinds) as EmailKind[]
export const kindsToVisitors: readonly EmailKind[] = allKinds.filter((kind) => kinds[kind].to === 'visitor')
// A kind that only a newer version knows counts as one to an owner, so that its trouble is
// reported.
export const kindsNotToOwners: readonly EmailKind[] = allKinds.filter((kind) => kinds[kind].to !== 'owner')

/**
 * Whether an email goes to a visitor. If so, retrying after a rejection is usually pointless:
 * nobody can correct an address that a visitor mistyped. An owner's address is a setting, which can
 * be corrected.
 */
export const isToVisitor = (kind: EmailKind): boolean => kindsToVisitors.includes(kind)

/** The same email to each owner. `name`: what begins its Message-IDs, unlike those of others. */
export const toEachOwner = (
  { MAIL_TO, MAIL_FROM }: { MAIL_TO: readonly string[]; MAIL_FROM: { address: string } },
  name: string,
  email: Omit<NewEmail, 'recipient' | 'messageId'>,
): NewEmail[] =>
  MAIL_TO.map((recipient, index) => ({
    ...email,
    recipient,
    messageId: `<${name}.${index}@${domainOf(MAIL_FROM)}>`,
  }))

/** The part of an address after the `@`, used in Message-IDs. */
export const domainOf = ({ address }: { address: string }): string =>
  address.slice(address.lastIndexOf('@') + 1)

const insert = prepared((db, row: Insertable<Schema['outbox']>) => db.insertInto('outbox').values(row))

/** Queues emails, due at `dueAt`, within the caller's transaction. */
export async function enqueue(db: Database, emails: readonly NewEmail[], dueAt: Date): Promise<void> {
  const at = dueAt.toISOString()
  for (const email of emails)
    await insert(db, {
      lead_id: email.leadId ?? null,
      content: email.content ?? null,
      kind: email.kind,
      recipient: email.recipient,
      message_id: email.messageId,
      priority: priorityOf(email),
      queued_at: at,
      due_at: at,
    })
}
