import type { Generated, GeneratedAlways, Kysely } from 'kysely'
import type { ContactRequest } from '#shared/contact-request.ts'

/** Times are ISO 8601 text in UTC ("2026-01-31T09:30:00.000Z"). */
export type Schema = {
  leads: {
    /** UUIDv7: sorts by time. */
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
    /** Null for a digest, whose data is stored as JSON in `content`. */
    lead_id: string | null
    kind: EmailKind
    recipient: string
    content: string | null
    /** 0: to the owner; 1: to the owner about suspected spam; 2: to a visitor. */
    priority: Generated<number>
    state: Generated<EmailState>
    attempts: Generated<number>
    queued_at: string
    due_at: string
    sent_at: string | null
    message_id: string
  }
  outbox_attempts: {
    /** On SQLite, this is the built-in row id, which `select *` omits. */
    rowid: GeneratedAlways<number>
    outbox_id: number
    at: string
    /** `bounced`: the visitor's mailbox doesn't exist. `readdressed`: MAIL_TO changed; `response` is the old address. */
    outcome: 'sent' | 'retry' | 'failed' | 'bounced' | 'interrupted' | 'requeued' | 'readdressed'
    smtp_code: number | null
    response: string
  }
  accepted_requests: { client: string; at: string }
  /** Secret keys, and the state that periodic jobs keep between runs. */
  settings: { name: string; value: string }
  /** Used only on PostgreSQL. */
  job_leases: { name: string; holder: string; since: string; until: string }
}

export type EmailKind = 'owner_notice' | 'visitor_receipt' | 'digest'
export type EmailState = 'queued' | 'sending' | 'sent' | 'failed'
export type Database = Kysely<Schema>
