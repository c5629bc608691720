import type { Selectable } from 'kysely'
import type { Database, Schema } from '../database/schema.ts'

/**
 * Delivery states of the notices about a lead. `file`: only written to an .eml file, so not
 * delivered.
 */
export const deliveries = ['delivered', 'waiting', 'failed', 'file'] as const

/** An email with its attempts, oldest first. */
export type EmailRecord = Selectable<Schema['outbox']> & {
  log: Omit<Selectable<Schema['outbox_attempts']>, 'rowid'>[]
}

/** Whether the mail server refused a receipt because the mailbox does not exist. */
export const hasBounced = ({ kind, state, log }: EmailRecord): boolean =>
  kind === 'visitor_receipt' && state === 'failed' && log.some(({ outcome }) => outcome === 'bounced')

/** The delivery state of a lead's notices, and whether the visitor's address seems to be wrong. */
export const summarize = (emails: readonly EmailRecord[]) => ({
  delivery: deliveryOf(emails.filter(({ kind }) => kind === 'owner_notice')),
  receipt_bounced: emails.some(hasBounced),
})

function deliveryOf(notices: readonly EmailRecord[]) {
  const states = notices.map(({ state }) => state)
  if (states.length === 0) return 'no mail'
  if (states.includes('failed')) return 'failed'
  if (states.includes('queued') || states.includes('sending')) return 'waiting'
  return states.includes('file') ? 'file' : 'delivered'
}

/**
 * Reads the emails of these leads, or the newest ones. Returns a function that gets one lead's
 * emails, oldest first.
 */
export async function readEmails(db: Database, leadIds: readonly string[], newest = Number.MAX_SAFE_INTEGER) {
  const ofLeads = db.selectFrom('outbox').selectAll().where('lead_id', 'in', leadIds)
  const emails = (await ofLeads.orderBy('id', 'desc').limit(newest).execute()).toReversed()
  const attempts = await db
    .selectFrom('outbox_attempts')
    .innerJoin('outbox', 'outbox.id', 'outbox_id')
    .where('lead_id', 'in', leadIds)
    .where('outbox_id', '>=', emails[0]?.id ?? 0)
    .orderBy('at')
    .orderBy('outbox_attempts.rowid')
    .select(['outbox_id', 'at', 'outcome', 'smtp_code', 'response'])
    .execute()
  const attemptsOf = Map.groupBy(attempts, ({ outbox_id }) => outbox_id)
  const records = emails.map((email): EmailRecord => ({ ...email, log: attemptsOf.get(email.id) ?? [] }))
  return (leadId: string): EmailRecord[] => records.filter(({ lead_id }) => lead_id === leadId)
}
