import * as z from 'zod/mini'
import { type ContactField, contactFieldNames } from '../contact-request.ts'
import { attachedFile } from './files.ts'
import { quote } from './quotes.ts'

/**
 * Owners move leads between these states. `open` includes suspects: leads that look like spam and
 * that no owner has judged yet.
 */
export const leadStates = ['open', 'answered', 'spam'] as const
export type LeadState = (typeof leadStates)[number]

/**
 * What became of a lead. Only owners decide that, and it stays whatever else happens: a customer
 * who writes again is open and won.
 */
export const leadResults = ['won', 'lost'] as const
export type LeadResult = (typeof leadResults)[number]

/**
 * The lists of the inbox, in menu order. `later` lists leads whose follow-up is in the future,
 * `won` and `lost` all with that result, and `answered` those without one.
 */
export const leadViews = ['open', 'later', 'suspects', 'answered', 'won', 'lost', 'spam', 'all'] as const
export type LeadView = (typeof leadViews)[number]

/** The number of leads on one page of a list. */
export const PAGE_SIZE = 100
/** At most this many leads are changed in one request. */
export const MAX_AT_ONCE = 100
/**
 * A lead's history is sent in pages of at most this many events and, unless one event is longer,
 * characters.
 */
export const EVENTS_AT_ONCE = 50
export const EVENT_CHARACTERS = 200_000
export const MAX_NOTE = 5_000
export const MAX_ANSWER = 20_000
/** How long an answer waits before it is sent, so that the owner can undo it. */
export const UNDO_SECONDS = 15

/** Where a visitor came from: see `LeadSource`. */
export const leadSource = z.object({
  landing: z.optional(z.string()),
  referrer: z.optional(z.string()),
  parameters: z.optional(z.record(z.string(), z.string())),
})

/** One line of a list. Times are ISO 8601 UTC. */
const leadRow = z.object({
  reference: z.string(),
  name: z.string(),
  company: z.string(),
  budget: z.string(),
  /**
   * The beginning of what was written last, on one line, after unread words before it, and from
   * which other address it came.
   */
  words: z.string(),
  /** The names of the files that came with it. */
  files: z.array(z.string()),
  state: z.enum(leadStates),
  result: z.nullable(z.enum(leadResults)),
  isSuspect: z.boolean(),
  /** No owner has opened the lead yet, or there are `unread` messages. */
  isUnread: z.boolean(),
  /** How many messages no owner has seen, while somebody waits: at most 99. */
  unread: z.number(),
  /** Whether there is an earlier request from this address. */
  wroteBefore: z.boolean(),
  receivedAt: z.string(),
  /** When the promised reply is due. */
  dueAt: z.string(),
  followUpAt: z.nullable(z.string()),
  /** Why it has a follow-up, if an owner said so. */
  note: z.nullable(z.string()),
  /** When the person wrote again, if nobody has answered since. */
  repliedAt: z.nullable(z.string()),
  /** Why the last answer could not be delivered, or null. */
  trouble: z.nullable(z.string()),
  /**
   * Since when an answer has been waiting that the person's mail server does not accept, or null.
   */
  stuckSince: z.nullable(z.string()),
  /** Whether this owner has begun an answer. */
  hasDraft: z.boolean(),
  /** The name of another owner who is writing an answer now, or null. */
  writer: z.nullable(z.string()),
  /** What to do about a bounced receipt, or null: see `addressDoubt`. */
  addressDoubt: z.nullable(z.string()),
  /**
   * Increases with every event except `minorEvents`. A request to change the lead includes the
   * version that the owner saw, so that the server can refuse it if the lead has changed since.
   */
  version: z.number(),
  /**
   * Only in search results: a few words around the match, and where they are from. Null if the name
   * is the match.
   */
  found: z.optional(
    z.nullable(z.object({ label: z.string(), before: z.string(), match: z.string(), after: z.string() })),
  ),
})
export type LeadRow = z.infer<typeof leadRow>

/** `next` is the cursor of the next page; null on the last one. */
export const leadPage = z.object({ leads: z.array(leadRow), next: z.nullable(z.string()) })
export type LeadPage = z.infer<typeof leadPage>

const eventKinds = [
  'seen',
  'state',
  'result',
  'nothing_to_answer',
  'follow_up',
  'verdict',
  'undone',
  'note',
  'answer',
  'answer_undone',
  'answer_failed',
  'address',
  // These three come from the mailbox: see IMAP_URL.
  'reply',
  'answered_by_mail',
  'automatic_reply',
] as const

/** Events that don't change a lead's version. */
export const minorEvents = [
  'seen',
  'note',
  'address',
  'automatic_reply',
] as const satisfies LeadEvent['what'][]

/** Something an owner did, or something that happened to an answer. */
const leadEvent = z.object({
  id: z.number(),
  at: z.string(),
  /** An owner's address; `shell` for a command on the server; `server` for the server itself. */
  who: z.string(),
  what: z.enum(eventKinds),
  /**
   * The state, result, follow-up time or address before and after. For a verdict, `to` is the
   * verdict. Earlier versions had states for results, and a day ("2026-03-02") for a follow-up.
   */
  from: z.nullable(z.string()),
  to: z.nullable(z.string()),
  text: z.nullable(z.string()),
  /** Of an answer: the address that it goes to; null if that was the lead's. */
  recipient: z.nullable(z.string()),
  /** Of the undo of an answer: the number of the answer, unless that was erased. */
  undoes: z.nullable(z.number()),
  /** The person wrote a new email, which answers none of ours. */
  isNewEmail: z.optional(z.boolean()),
  /** Of an email: what is quoted in it. */
  message: z.nullable(z.object({ quotes: z.array(quote) })),
  /** The names and sizes of its files: see `fileOfEvent`. Those of an email stay in the mailbox. */
  attachments: z.array(z.string()),
})
export type LeadEvent = z.infer<typeof leadEvent>

/** A part of a lead's history, oldest first. `hasEarlier`: there is more before it. */
export const eventPage = z.object({ events: z.array(leadEvent), hasEarlier: z.boolean() })
export type EventPage = z.infer<typeof eventPage>

/** An email about the lead, or a post to LEAD_WEBHOOK_URL, with its delivery log. */
const leadEmail = z.object({
  kind: z.string(),
  recipient: z.string(),
  /**
   * `file`: only written to an .eml file, because no mail server was set up. `listed`: a list of
   * several leads replaces it, because of the limit of emails a day.
   */
  state: z.enum(['queued', 'sending', 'sent', 'failed', 'file', 'listed']),
  queuedAt: z.string(),
  /** The event that it is about, such as the answer that it delivers; null if it's the request. */
  about: z.nullable(z.number()),
  attempts: z.array(z.object({ at: z.string(), outcome: z.string(), response: z.string() })),
})
export type LeadEmail = z.infer<typeof leadEmail>

const sentFields = Object.fromEntries(contactFieldNames.map((field) => [field, z.string()])) as Record<
  ContactField,
  z.ZodMiniString
>

/** Everything the inbox shows about one lead. */
export const lead = z.extend(leadRow, {
  ...sentFields,
  spamReasons: z.array(z.string()),
  source: leadSource,
  /** The newest part of the history. */
  ...eventPage.shape,
  /** Messages that came as later events are unread. */
  readUpTo: z.number(),
  /**
   * What the person, or somebody from another address, has written last, also if that isn't in
   * `events`.
   */
  lastReply: z.nullable(leadEvent),
  /**
   * Other addresses from which somebody has written, each with the number of such a message, newest
   * first.
   */
  senders: z.array(z.object({ address: z.string(), event: z.number() })),
  /** The newest ones. */
  emails: z.array(leadEmail),
  /** Other requests from the same email address, newest first. */
  others: z.array(
    z.object({
      reference: z.string(),
      receivedAt: z.string(),
      state: z.enum(leadStates),
      result: z.nullable(z.enum(leadResults)),
    }),
  ),
  /** This owner's unfinished answer, or null. */
  draft: z.nullable(z.string()),
  /** The files that belong to it. */
  attached: z.array(attachedFile),
  /** The text an answer starts with if there is no draft. */
  template: z.string(),
  /** An answer that can still be undone, or null. */
  pendingAnswer: z.nullable(z.object({ key: z.string(), sendsAt: z.string() })),
})
export type LeadDetail = z.infer<typeof lead>
