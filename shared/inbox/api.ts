import * as z from 'zod/mini'
import { leadViews } from './lead.ts'

export const inboxPath = '/inbox'
export const apiPath = '/api'
/** The service worker, which shows push messages. */
export const workerPath = '/inbox-worker.js'
export const manifestPath = '/inbox.webmanifest'
/**
 * Query parameter of a lead's page: opens the reply sheet (`reply`), or asks when the lead was
 * answered (`done`).
 */
export const openParameter = 'open'

/** The characters of sign-in codes. Lookalikes are left out: 0, O, 1, I, L, 8 and B. */
export const CODE_ALPHABET = '2345679ACDEFGHJKMNPQRSTUVWXYZ'
export const CODE_LENGTH = 8
/** How long a code or a sign-in link is valid. */
export const CODE_MINUTES = 10
/** How long somebody may take to confirm a passkey on their device. */
export const PASSKEY_MINUTES = 5
/**
 * How many codes an hour an owner can get in new browsers on one network. Browsers that signed in
 * before get more.
 */
export const CODES_AN_HOUR = 3
/** How many codes a day all owners together can get in new browsers on all networks. */
export const CODES_A_DAY = 30
/** Tells the owner why a code may not arrive. */
export const codeLimits = `A new browser gets at most ${CODES_AN_HOUR} codes an hour; all new browsers together get ${CODES_A_DAY} a day.`
/** The error for a code that is entered in a browser that didn't request it. */
export const CODE_ELSEWHERE = 'Enter this code in the browser where you requested it.'
/** The number of wrong codes after which a code no longer works. */
export const CODE_TRIES = 5
/**
 * The error for every refused code, whether it was mistyped, used, or is too old: more detail could
 * reveal whether an address is an owner's.
 */
export const CODE_WRONG = `That code is wrong or no longer works: a code works only once, for ${CODE_MINUTES} minutes, and ends after ${CODE_TRIES} wrong tries. Compare it with the email, or ask for a new one.`
/**
 * Erasing, exporting, adding a passkey and ending other sessions need a sign-in no older than this.
 */
export const FRESH_MINUTES = 10
/** The page checks its session this often. */
export const SESSION_CHECK_MS = 30_000

/** Formats a code for an email: "K7MF-29QX". */
export const showCode = (code: string): string => `${code.slice(0, 4)}-${code.slice(4)}`

const half = `[${CODE_ALPHABET}]{${CODE_LENGTH / 2}}`
const shownCode = new RegExp(`\\b${half}-?${half}\\b`)

/**
 * Reads a code that is typed, in any case, with or without spaces and dashes, or pasted with the
 * email around it.
 */
export function readCode(typed: string): string {
  const [code] = shownCode.exec(typed) ?? [typed]
  return code.toUpperCase().replace(/[^0-9A-Z]/g, '')
}

const MAX_PASTED = 1_000

export const codeWanted = z.object({
  email: z.string().check(z.maxLength(254), z.regex(z.regexes.html5Email)),
})
export const codeInput = z.object({ code: z.string().check(z.maxLength(MAX_PASTED)) })
export const linkInput = z.object({ token: z.string().check(z.maxLength(100)) })

const credential = {
  id: z.string().check(z.minLength(1), z.maxLength(1_400)),
  rawId: z.string(),
  type: z.literal('public-key'),
}
/** What the browser returns when the owner signs in with a passkey. */
export const usePasskey = z.looseObject({
  ...credential,
  response: z.looseObject({
    clientDataJSON: z.string(),
    authenticatorData: z.string(),
    signature: z.string(),
    // Some devices leave it out: the passkey's own ID is enough.
    userHandle: z.nullish(z.string()),
  }),
})
/**
 * What the browser returns for a new passkey, and the name that the owner gives it (by default, the
 * browser's name).
 */
export const passkeyInput = z.looseObject({
  ...credential,
  name: z.optional(z.string().check(z.trim(), z.maxLength(100))),
  response: z.looseObject({ clientDataJSON: z.string(), attestationObject: z.string() }),
})

/** Who is signed in. */
export const session = z.object({
  id: z.string(),
  owner: z.string(),
  browser: z.string(),
  /** The latest sign-in. `FRESH_MINUTES` limits how old it may be for some actions. */
  signedInAt: z.string(),
  /** Passkeys work only on https and localhost. */
  canUsePasskeys: z.boolean(),
})
export type Session = z.infer<typeof session>

export const access = z.object({
  sessions: z.array(
    z.object({
      id: z.string(),
      owner: z.string(),
      browser: z.string(),
      /**
       * When the session was last used, up to an hour too early, because it is stored only once an
       * hour.
       */
      seenAt: z.string(),
      /** Whether it has the inbox open, as far as this replica knows. */
      isInUse: z.boolean(),
    }),
  ),
  passkeys: z.array(
    z.object({
      id: z.string(),
      owner: z.string(),
      name: z.string(),
      createdAt: z.string(),
      usedAt: z.nullable(z.string()),
    }),
  ),
})
export type Access = z.infer<typeof access>

/** The summary stops counting at this number, which the inbox shows as "999+". */
export const MAX_COUNTED = 1_000

/** The figures above the list, and whether emails go out. */
export const summary = z.object({
  counts: z.record(z.enum(leadViews), z.number()),
  /** Open leads, not counting suspected spam or leads whose follow-up date is in the future. */
  waiting: z.number(),
  /** How many of `waiting` are past their promised reply time. */
  late: z.number(),
  /** The median for the last 100 answered leads, in office hours; null if there are too few. */
  medianMinutesToAnswer: z.nullable(z.number()),
  mail: z.object({
    /**
     * `files`: no mail server is set up. `held`: there was one, but it's no longer set up.
     * `refused`: the mail server refuses only some emails, because of their recipient or content.
     * `webhook`: emails go out, but some leads could not be posted to LEAD_WEBHOOK_URL. `mailbox`:
     * emails go out, but IMAP_URL can't be read. `junk`, `missing`, `returned`: what goes
     * out doesn't come to the inbox of `to`.
     */
    state: z.enum([
      'ok',
      'files',
      'held',
      'waiting',
      'failed',
      'refused',
      'webhook',
      'mailbox',
      'junk',
      'missing',
      'returned',
    ]),
    since: z.nullable(z.string()),
    to: z.optional(z.string()),
    /** Emails that the server gave up on. They can be sent again. */
    failed: z.number(),
  }),
})
export type Summary = z.infer<typeof summary>

const group = z.object({ name: z.string(), leads: z.number(), won: z.number(), lost: z.number() })

/**
 * Weeks are named after their Monday ("2026-03-02") and listed oldest first. Unlike the summary's
 * counts, these don't stop at `MAX_COUNTED`. They leave out spam and suspected spam.
 */
export const figures = z.object({
  weeks: z.array(
    z.object({
      week: z.string(),
      leads: z.number(),
      /**
       * Leads that were answered at a known time, and unanswered leads whose promised reply time
       * has passed. The share of kept promises is `onTime / due`. Leads that can still be answered
       * on time are not counted, and neither are those that were probably answered before there was
       * an inbox to record the time.
       */
      due: z.number(),
      /** How many of `due` were answered. */
      answered: z.number(),
      /** How many of `answered` were answered in time. */
      onTime: z.number(),
      /** In office hours. */
      medianMinutesToAnswer: z.nullable(z.number()),
    }),
  ),
  plans: z.array(group),
  /** Only leads with a known source: see `sourceInWords`. */
  sources: z.array(group),
})
export type Figures = z.infer<typeof figures>

/**
 * Events of the stream at `/api/events`. `change`: the page's data is out of date. `end`: the
 * session has ended.
 */
export const streamEvents = { ping: 'ping', change: 'change', end: 'end' } as const
export const PING_MS = 25_000
/** If a ping is this late, the page opens a new stream. */
export const PATIENCE_MS = 10_000
