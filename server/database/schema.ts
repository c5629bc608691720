import type { Generated, GeneratedAlways, Kysely } from 'kysely'
import type { ContactField, ContactRequest, contactFields } from '#shared/contact-request.ts'
import type { LeadEmail, LeadEvent, LeadResult, LeadState } from '#shared/inbox/lead.ts'
import type { Quote } from '#shared/inbox/quotes.ts'

/** What the visitor sent: see `contactFields`. */
export type LeadFields = {
  [Field in ContactField as (typeof contactFields)[Field]['column']]: ContactRequest[Field]
}

/** Times are ISO 8601 text in UTC ("2026-01-31T09:30:00.000Z"). */
export type Schema = {
  leads: LeadFields & {
    /** UUIDv7 with the time of `created_at`: see `createLeadId`. */
    id: string
    reference: string
    created_at: string
    idempotency_key: string | null
    /** Says which leads have the same content or message: see `contentHash`. */
    content_hash: string
    /**
     * The keyed hash of the client's network, and the signed part of the form token. Deleted after
     * a day: see `forgetClients`.
     */
    client: string | null
    form_token: string | null
    spam_score: number
    /** A JSON array of strings. */
    spam_reasons: string
    state: Generated<LeadState>
    /** What became of the lead. */
    result: Generated<LeadResult | null>
    /** An owner's decision, which overrides the score. */
    verdict: 'spam' | 'honest' | null
    /** Incremented with every event except `minorEvents`. */
    version: Generated<number>
    /**
     * When the promised reply is due: to the request or, if the person has written again, to that.
     */
    due_at: string
    /** When the reply to the request was due; null if that is `due_at`. */
    first_due_at: string | null
    /** When the person wrote again, until an owner answers. */
    replied_at: string | null
    follow_up_at: string | null
    /** When the lead was first answered. */
    answered_at: string | null
    /** When an owner first opened it. */
    seen_at: string | null
    /** The newest event that an owner has seen, or has decided about; 0 if none. */
    read_up_to: Generated<number>
    /** Why the last answer could not be delivered. */
    trouble: string | null
    /** JSON: see `leadSource`. */
    source: string
    /**
     * The inbox list that the lead is in, computed by the database: an open lead that looks like
     * spam is in `suspects` until an owner judges it, one with a follow-up in `open`, even if it
     * was answered, and an answered one with a result in the list of that.
     */
    list: GeneratedAlways<LeadState | LeadResult | 'suspects'>
    /** The key that sorts the lead there: see `sortKey`. */
    sort_key: string
    /**
     * 1 while the owners still have to be told about the lead by a list of several leads: see
     * `MailBudget`.
     */
    awaits_list: Generated<0 | 1>
    /** When such a list named it last. */
    listed_at: Generated<string | null>
    /** When the last reminder of a promised reply was queued. */
    reminded_at: Generated<string | null>
    /** The promise that it was about: the `due_at` of then. */
    reminded_of: Generated<string | null>
  }
  /** What owners, commands in a shell, and the server did with leads. */
  lead_events: {
    id: Generated<number>
    lead_id: string
    at: string
    /** An owner's address, or `shell` or `server`. */
    who: string
    what: LeadEvent['what']
    /** The state, the result, the follow-up or the address before and after: see `LeadEvent`. */
    from_value: string | null
    to_value: string | null
    text: string | null
    /**
     * An idempotency key, so that a repeated request stores its note or sends its answer only once.
     */
    key: string | null
    /** What undoing the event restores, as JSON: see `Undoable`. Null if it can't be undone. */
    before: string | null
    /** Of an event that came as an email, as JSON: see `StoredMessage`. */
    received: string | null
    /**
     * The same email's hashed Message-ID: see `hashOf` in message-ids.ts. Senders choose it, so it
     * isn't unique.
     */
    message_hash: Generated<string | null>
    /** Why the same email belongs to the lead; null if an earlier version has read it. */
    joined: Generated<Joined | null>
    /**
     * Of an answer: the address that it goes to, in lower case; null if an earlier version has sent
     * it to the lead's.
     */
    recipient: Generated<string | null>
    /** Of an answer: what it was sent with, as JSON: see `SentFile`. Null if that is nothing. */
    files: Generated<string | null>
  }
  /** What owners attach to answers. The bytes are in `file_parts`. */
  files: {
    /** A UUID that the page has chosen, so that a repeated upload stores the file only once. */
    id: string
    lead_id: string
    owner: string
    name: string
    type: string
    /** In bytes; null while it's being uploaded. */
    size: Generated<number | null>
    /** When the upload began. */
    at: string
    /** 1 while it belongs to the owner's unfinished answer to the lead. */
    in_draft: Generated<0 | 1>
    /** The key of the last answer that it was sent with and that was not undone. */
    answer_key: Generated<string | null>
  }
  file_parts: { file_id: string; number: number; bytes: Buffer }
  lead_drafts: { lead_id: string; owner: string; text: string; updated_at: string }
  /**
   * What each lead is found by: see `SearchText`. In a table of its own, so that a search reads
   * only these columns.
   */
  lead_texts: { lead_id: string; parts: string; words: string }
  /** Sign-in requests, kept for a day, or for at most an hour if they have no owner. */
  sign_ins: {
    /** Hash of the cookie, or of the link's token. */
    id: string
    kind: 'code' | 'link'
    /** Null only within the transaction of a stranger's request, which deletes its row. */
    owner: string | null
    /** HMAC of the code and the cookie; empty for a link. */
    code: string
    /** Keyed hash of the client's network. The address itself is not stored. */
    client: string
    /** 1 if this owner has signed in with this browser before. */
    is_known: 0 | 1
    /** Number of codes entered, right or wrong. */
    tries: Generated<number>
    created_at: string
    ends_at: string
    used_at: string | null
  }
  sessions: {
    /** Hash of the cookie. */
    id: string
    owner: string
    browser: string
    signed_in_at: string
    /** Updated at most once an hour. */
    seen_at: string
  }
  passkeys: {
    /** Credential id, base64url. */
    id: string
    owner: string
    user_id: string
    /** base64url */
    public_key: string
    counter: number
    name: string
    /** The host name that the passkey works for (WebAuthn's relying party id). */
    host: string
    created_at: string
    used_at: string | null
  }
  /** Browsers that show push messages, each for as long as its session. */
  push_subscriptions: {
    /** An https address of the browser's push service. */
    endpoint: string
    /** The browser's public key and secret (RFC 8291), base64url. */
    p256dh: string
    auth: string
    session: string
    /** 0 if messages may only say that there is something new. */
    shows_content: 0 | 1
    /** The status with which the push service refused the last message. */
    refused: number | null
  }
  /**
   * Hashes of the challenges that passkeys may sign. Each is deleted when it is used, so that it
   * works only once.
   */
  passkey_challenges: { id: string; ends_at: string }
  outbox: {
    id: Generated<number>
    /** Null for emails that aren't about a single lead: lists of leads and sign-in emails. */
    lead_id: string | null
    kind: EmailKind
    recipient: string
    /**
     * What the email says, as JSON. Null if it is written from the lead: notices, receipts and
     * posts to the webhook.
     */
    content: string | null
    /** Emails with lower numbers are sent first: see `priorities`. */
    priority: number
    state: Generated<EmailState>
    attempts: Generated<number>
    queued_at: string
    /** When the next attempt is due or, while an email is being sent, when its lease ends. */
    due_at: string
    sent_at: string | null
    message_id: string
    /** Why the last attempt failed: see `FailureCause`. Null before the first failure. */
    cause: FailureCause | null
    /**
     * Of a notice to the mailbox that is read: when it came there, and into which folder. Of any
     * other: whether it has come back.
     */
    arrived_at: Generated<string | null>
    arrived_in: Generated<ArrivedIn | 'returned' | null>
  }
  outbox_attempts: {
    /** On SQLite, this is the built-in row id, which `select *` omits. */
    rowid: GeneratedAlways<number>
    outbox_id: number
    at: string
    /** `file` and `listed`: see `LeadEmail`. `bounced`: the visitor's mailbox doesn't exist. */
    outcome: 'sent' | 'file' | 'listed' | 'retry' | 'failed' | 'bounced'
    /** The mail server's reply code, or the HTTP status of a post. */
    smtp_code: number | null
    response: string
  }
  /** Secret keys, and what the server and its jobs note for later. */
  settings: { name: string; value: string }
}

/**
 * What is stored of an email from the mailbox besides what its sender wrote: what is quoted in it,
 * the names of its files, when the mail server got it, and to whom an owner has sent it.
 */
export type StoredMessage = {
  messageId: string
  quotes: Quote[]
  attachments: string[]
  receivedAt?: string
  to?: string[]
}

/** Where a notice lies in the mailbox. `archive`: in any folder besides the inbox and Junk. */
export type ArrivedIn = 'inbox' | 'junk' | 'archive'

/** A file that an answer was sent with. `size`: in bytes. */
export type SentFile = { id: string; name: string; size: number }

/**
 * Why an email belongs to a lead. `ours`: it names one that we have sent, or one that is `sent`.
 * `theirs`: it names another message of the conversation. `reference`: it has the lead's reference.
 * `address`: it is a new email from the person's address. `sent`: an owner has sent it to people of
 * this lead, and of no other. `shared`: also to people of other leads.
 */
export type Joined = 'ours' | 'theirs' | 'reference' | 'address' | 'sent' | 'shared'

export type EmailKind =
  | 'owner_notice'
  | 'visitor_receipt'
  /** Tells the owner about several leads for which the mail budget had no room. */
  | 'notice_list'
  /** An owner's reply to a visitor, and the owner's own copy of it. */
  | 'answer'
  | 'answer_copy'
  /** Tells an owner that an answer did not arrive or is stuck. */
  | 'answer_trouble'
  /** Warns an owner before promised replies are late. */
  | 'reminder'
  /** Tells an owner that the time of a follow-up has come. */
  | 'follow_up'
  /** Tells an owner when the office opens what is to be done: see `createMorning`. */
  | 'morning'
  /** Tells an owner that the mailbox has not been readable for an hour. */
  | 'mailbox_trouble'
  /** A sign-in code, or a notification of a new sign-in. */
  | 'sign_in'
  /**
   * Not an email, but a lead to post to LEAD_WEBHOOK_URL. The recipient is the URL's host;
   * `message_id` is the `webhook-id` header.
   */
  | 'webhook'
/**
 * What has to change before a failed email can be sent: the mail server, its recipient, or what it
 * says.
 */
export type FailureCause = 'server' | 'recipient' | 'content'
export type EmailState = LeadEmail['state']
export type Database = Kysely<Schema>
