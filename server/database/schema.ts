import type { Generated, GeneratedAlways, Kysely } from 'kysely'
import type { ContactRequest } from '#shared/contact-request.ts'

/** Times are ISO 8601 UTC text ("2026-01-31T09:30:00.000Z"), so that they sort and read in any SQLite tool. */
export type Schema = {
  leads: {
    /** UUIDv7: sorts by the time of arrival. */
    id: string
    reference: string
    created_at: string
    first_name: string
    last_name: string
    email: string
    phone: string
    company: string
    website: string
    budget: ContactRequest['budget']
    message: string
    idempotency_key: string | null
    content_hash: string
    spam_score: Generated<number>
    /** A JSON array of strings. */
    spam_reasons: Generated<string>
  }
  outbox: {
    id: Generated<number>
    /** Null where it is about no lead: then `content` holds its facts, as JSON. */
    lead_id: string | null
    kind: MailKind
    recipient: string
    content: string | null
    /** Lower leaves first: 0 to the owner, 1 to the owner about a suspect, 2 to a visitor. */
    priority: Generated<number>
    state: Generated<MailState>
    attempts: Generated<number>
    queued_at: string
    due_at: string
    sent_at: string | null
    message_id: string
  }
  outbox_attempts: {
    /** In the order of writing. SQLite has it in every table; there `select *` leaves it out. */
    rowid: GeneratedAlways<number>
    outbox_id: number
    at: string
    /** `bounced`: failed, because a visitor's mailbox does not exist. `readdressed`: MAIL_TO changed; `response` is the address that the attempts before were made to. */
    outcome: 'sent' | 'retry' | 'failed' | 'bounced' | 'interrupted' | 'requeued' | 'readdressed'
    smtp_code: number | null
    response: string
  }
  accepted_requests: { client: string; at: string }
  /** Facts of this installation, such as the key that client addresses are hashed with. */
  settings: { name: string; value: string }
  /** Which replica runs a job, and until when that holds unless it is renewed. PostgreSQL only. */
  job_leases: { name: string; holder: string; since: string; until: string }
}

export type MailKind = 'owner_notice' | 'visitor_receipt' | 'digest'
export type MailState = 'queued' | 'sending' | 'sent' | 'failed'
export type Database = Kysely<Schema>
