import type { Selectable } from 'kysely'
import type { Schema } from '../database/schema.ts'
import { LISTED } from '../outbox/email.ts'

/** Delivery states of the notices about a lead. `file`: only written to an .eml file, so not delivered. */
export const deliveries = ['delivered', 'waiting', 'failed', 'file'] as const
export type Delivery = 'no mail' | (typeof deliveries)[number]

type StoredAttempt = Omit<Selectable<Schema['outbox_attempts']>, 'outbox_id' | 'rowid'>
/** An attempt with its recipient, because the email's recipient may have changed since. */
export type AttemptRecord = StoredAttempt & { recipient: string }
type StoredMail = Omit<Selectable<Schema['outbox']>, 'id' | 'lead_id'>
export type MailRecord = StoredMail & { flight: AttemptRecord[] }

/** Adds the attempts (oldest first) to their email, each with its recipient at that time. */
export function withAttempts(mail: StoredMail, attempts: readonly StoredAttempt[]): MailRecord {
  let { recipient } = mail
  const flight = attempts.toReversed().map((attempt) => {
    // This outcome's `response` is the previous recipient.
    if (attempt.outcome === 'readdressed') recipient = attempt.response
    return { ...attempt, recipient }
  })
  return { ...mail, flight: flight.reverse() }
}

/** Whether an email was only written to an .eml file, because SMTP_URL was not set. */
export const isOnlyFile = (mail: MailRecord): boolean => endedIn(mail, wroteFile)

/** Whether a list of several leads replaces an email, because the mail budget had no room for it. */
export const isListed = (mail: MailRecord): boolean => endedIn(mail, wasListed)

function endedIn({ state, flight }: MailRecord, isSuch: (attempt: StoredAttempt) => boolean): boolean {
  const last = flight.findLast(({ outcome }) => outcome === 'sent')
  return state === 'sent' && last !== undefined && isSuch(last)
}

/** Whether the attempt wrote an .eml file. A mail server's response would start with a status code instead. */
export const wroteFile = ({ outcome, smtp_code, response }: StoredAttempt): boolean =>
  outcome === 'sent' && smtp_code === null && response.startsWith('written to ')

/** Whether the attempt ended because a list of several leads replaces the email. */
export const wasListed = ({ outcome, response }: StoredAttempt): boolean =>
  outcome === 'sent' && response === LISTED.response

/** Whether the mail server refused a receipt because the mailbox does not exist. */
export const hasBounced = ({ kind, state, flight }: MailRecord): boolean =>
  kind === 'visitor_receipt' && state === 'failed' && flight.some(({ outcome }) => outcome === 'bounced')

/** The delivery state of a lead's notices, and whether the visitor's address seems to be wrong. */
export function summarize(mails: readonly MailRecord[]) {
  const notices = mails.filter(({ kind }) => kind === 'owner_notice')
  const accepted = notices.filter((notice) => notice.state === 'sent' && !isOnlyFile(notice))
  return {
    delivery: deliveryOf(notices),
    delivered_at:
      accepted
        .map(({ sent_at }) => sent_at ?? '')
        .toSorted()
        .at(-1) || null,
    receipt_bounced: mails.some(hasBounced),
  }
}

function deliveryOf(notices: readonly MailRecord[]): Delivery {
  if (notices.length === 0) return 'no mail'
  if (notices.some(({ state }) => state === 'failed')) return 'failed'
  if (notices.some(({ state }) => state !== 'sent')) return 'waiting'
  return notices.some(isOnlyFile) ? 'file' : 'delivered'
}
