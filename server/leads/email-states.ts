import type { Selectable } from 'kysely'
import type { Schema } from '../database/schema.ts'

/** The state of the notices about a lead. `file`: only written to an .eml file, which is not a delivery. */
export const deliveries = ['delivered', 'waiting', 'failed', 'file'] as const
export type Delivery = 'no mail' | (typeof deliveries)[number]

export type StoredAttempt = Omit<Selectable<Schema['outbox_attempts']>, 'outbox_id' | 'rowid'>
/** An attempt with the address it was made to, because the email's address may have changed since. */
export type AttemptRecord = StoredAttempt & { recipient: string }
type StoredMail = Omit<Selectable<Schema['outbox']>, 'id' | 'lead_id'>
export type MailRecord = StoredMail & { flight: AttemptRecord[] }

/** Adds the attempts (oldest first) to their email, each with the address it was made to. */
export function withAttempts(mail: StoredMail, attempts: readonly StoredAttempt[]): MailRecord {
  let { recipient } = mail
  const flight = attempts.toReversed().map((attempt) => {
    // The response is the address that the email had before this entry.
    if (attempt.outcome === 'readdressed') recipient = attempt.response
    return { ...attempt, recipient }
  })
  return { ...mail, flight: flight.reverse() }
}

/** Whether an email was only written to an .eml file, because SMTP_URL was not set. */
export function isOnlyFile({ state, flight }: MailRecord): boolean {
  const last = flight.findLast(({ outcome }) => outcome === 'sent')
  return state === 'sent' && last !== undefined && isWritten(last)
}

/** Whether the attempt wrote an .eml file. A mail server's reply would start with a code. */
export const isWritten = ({ outcome, smtp_code, response }: StoredAttempt): boolean =>
  outcome === 'sent' && smtp_code === null && response.startsWith('written to ')

/** Whether it is a receipt whose mailbox does not exist, according to the mail server. */
export const hasBounced = ({ kind, state, flight }: MailRecord): boolean =>
  kind === 'visitor_receipt' && state === 'failed' && flight.some(({ outcome }) => outcome === 'bounced')

/** The delivery state of a lead's notices, and whether the visitor's address seems to be wrong. */
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
