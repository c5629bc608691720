import type { Selectable } from 'kysely'
import type { Schema } from '../database/schema.ts'

/** Where the notices about a lead are. `file`: only written to an .eml file, which is no delivery. */
export const deliveries = ['delivered', 'waiting', 'failed', 'file'] as const
export type Delivery = 'no mail' | (typeof deliveries)[number]

export type StoredAttempt = Omit<Selectable<Schema['outbox_attempts']>, 'outbox_id' | 'rowid'>
/** An attempt with the address it was made to: that of its email may have changed since. */
export type AttemptRecord = StoredAttempt & { recipient: string }
type StoredMail = Omit<Selectable<Schema['outbox']>, 'id' | 'lead_id'>
export type MailRecord = StoredMail & { flight: AttemptRecord[] }

/** Adds the attempts to their email, the oldest first, each with the address it was made to. */
export function withAttempts(mail: StoredMail, attempts: readonly StoredAttempt[]): MailRecord {
  let { recipient } = mail
  const flight = attempts.toReversed().map((attempt) => {
    // Before this entry, the email went to the address that the entry names.
    if (attempt.outcome === 'readdressed') recipient = attempt.response
    return { ...attempt, recipient }
  })
  return { ...mail, flight: flight.reverse() }
}

/** Whether an email has left only as an .eml file, because there was no mail server. */
export function isOnlyFile({ state, flight }: MailRecord): boolean {
  const last = flight.findLast(({ outcome }) => outcome === 'sent')
  return state === 'sent' && last !== undefined && isWritten(last)
}

/** Whether the attempt ended in an .eml file: a mail server's own reply begins with a code. */
export const isWritten = ({ outcome, smtp_code, response }: StoredAttempt): boolean =>
  outcome === 'sent' && smtp_code === null && response.startsWith('written to ')

/** Whether it is a receipt that the mail server refused because it knows no such mailbox. */
export const hasBounced = ({ kind, state, flight }: MailRecord): boolean =>
  kind === 'visitor_receipt' && state === 'failed' && flight.some(({ outcome }) => outcome === 'bounced')

/** What the emails about a lead come to: where the notices are, and whether the visitor's address seems to be wrong. */
export function summarize(mails: readonly MailRecord[]) {
  const notices = mails.filter(({ kind }) => kind === 'owner_notice')
  const accepted = notices.filter((notice) => notice.state === 'sent' && !isOnlyFile(notice))
  return {
    delivery: deliveryOf(notices),
    delivered_at: accepted.map(({ sent_at }) => sent_at).reduce(latest, null),
    receipt_bounced: mails.some(hasBounced),
  }
}

function deliveryOf(notices: readonly MailRecord[]): Delivery {
  if (notices.length === 0) return 'no mail'
  if (notices.some(({ state }) => state === 'failed')) return 'failed'
  if (notices.some(({ state }) => state !== 'sent')) return 'waiting'
  return notices.some(isOnlyFile) ? 'file' : 'delivered'
}

const latest = (one: string | null, other: string | null) =>
  String(other ?? '') > String(one ?? '') ? other : one
