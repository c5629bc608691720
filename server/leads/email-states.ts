import type { Selectable } from 'kysely'
import type { Database, Schema } from '../database/schema.ts'

/** Delivery states of the notices about a lead. `file`: only written to an .eml file, so not delivered. */
export const deliveries = ['delivered', 'waiting', 'failed', 'file'] as const
export type Delivery = 'no mail' | (typeof deliveries)[number]

/** An email with its attempts, oldest first. */
export type MailRecord = Omit<Selectable<Schema['outbox']>, 'id' | 'lead_id'> & {
  flight: Omit<Selectable<Schema['outbox_attempts']>, 'outbox_id' | 'rowid'>[]
}

/** Whether the mail server refused a receipt because the mailbox does not exist. */
export const hasBounced = ({ kind, state, flight }: MailRecord): boolean =>
  kind === 'visitor_receipt' && state === 'failed' && flight.some(({ outcome }) => outcome === 'bounced')

/** The delivery state of a lead's notices, and whether the visitor's address seems to be wrong. */
export function summarize(mails: readonly MailRecord[]) {
  const notices = mails.filter(({ kind }) => kind === 'owner_notice')
  return {
    delivery: deliveryOf(notices),
    delivered_at:
      notices
        .map(({ sent_at }) => sent_at ?? '')
        .toSorted()
        .at(-1) || null,
    receipt_bounced: mails.some(hasBounced),
  }
}

function deliveryOf(notices: readonly MailRecord[]): Delivery {
  const states = notices.map(({ state }) => state)
  if (states.length === 0) return 'no mail'
  if (states.includes('failed')) return 'failed'
  if (states.includes('queued') || states.includes('sending')) return 'waiting'
  return states.includes('file') ? 'file' : 'delivered'
}

/** Reads the emails of these leads. Returns a function that gets one lead's emails. */
export async function readMails(db: Database, leadIds: readonly string[]) {
  const mails = await db
    .selectFrom('outbox')
    .selectAll()
    .where('lead_id', 'in', leadIds)
    .orderBy('id')
    .execute()
  const attempts = await db
    .selectFrom('outbox_attempts')
    .innerJoin('outbox', 'outbox.id', 'outbox_id')
    .where('lead_id', 'in', leadIds)
    .orderBy('at')
    .orderBy('outbox_attempts.rowid')
    .select(['outbox_id', 'at', 'outcome', 'smtp_code', 'response'])
    .execute()
  const attemptsOf = Map.groupBy(attempts, ({ outbox_id }) => outbox_id)
  const record = ({ id, lead_id: _, ...mail }: (typeof mails)[number]): MailRecord => ({
    ...mail,
    flight: (attemptsOf.get(id) ?? []).map(({ outbox_id: _, ...attempt }) => attempt),
  })
  const mailsOf = Map.groupBy(mails, ({ lead_id }) => lead_id)
  return (leadId: string): MailRecord[] => (mailsOf.get(leadId) ?? []).map(record)
}
