import * as z from 'zod/mini'
import { english } from '../computed-facts.ts'
import { cleanText } from '../text/invisible-characters.ts'
import { MAX_ATTACHED, tooManyFiles } from './files.ts'
import { leadResults, leadStates, MAX_ANSWER, MAX_AT_ONCE, MAX_NOTE } from './lead.ts'

const reload = 'The page sent incomplete data. Please reload it and try again.'
const wholeNumber = z.number(reload).check(z.int(reload), z.gte(0, reload))
const version = wholeNumber

const tooLong = (max: number) => `Please use at most ${max.toLocaleString(english)} characters.`
const text = (max: number) =>
  z
    .string('Please write something.')
    .check(
      z.overwrite(cleanText),
      z.trim(),
      z.minLength(1, 'Please write something.'),
      z.maxLength(max, tooLong(max)),
    )
const draft = z.string(reload).check(z.overwrite(cleanText), z.maxLength(MAX_ANSWER, tooLong(MAX_ANSWER)))
/**
 * The draft that this page last loaded or saved. It has no maximum length, because a stored draft
 * can be longer than `MAX_ANSWER`: the server joins an undone answer and what was written after it.
 */
const base = z.nullable(z.string(reload).check(z.overwrite(cleanText)))
const key = z.uuid(reload).check(z.toLowerCase())
/** When and how an owner answered outside the inbox. `note`: what was said. */
const answered = z.object({
  at: z.iso.datetime(reload),
  by: z.enum(['email', 'phone'], reload),
  note: z.optional(text(MAX_NOTE)),
})
export type Answered = z.infer<typeof answered>

const leads = z
  .array(z.object({ reference: z.string(reload), version }, reload), reload)
  .check(
    z.minLength(1, reload),
    z.maxLength(MAX_AT_ONCE, `Choose at most ${MAX_AT_ONCE} requests at a time.`),
  )

/**
 * The request bodies of changes to one lead or several, keyed by the last part of their path:
 * `/api/leads/<key>`. They are safe to repeat.
 */
export const leadChanges = {
  state: z.object({
    state: z.enum(leadStates, `Choose one of these states: ${leadStates.join(', ')}.`),
    answered: z.optional(answered),
    leads,
  }),
  /** Null removes the result. */
  result: z.object({ result: z.nullable(z.enum(leadResults, reload)), leads }),
  'nothing-to-answer': z.object({ leads }),
  /** `note`: why, such as a call that nobody took. Null removes the follow-up. */
  'follow-up': z.object({
    at: z.nullable(z.iso.datetime('Please choose a time.')),
    note: z.optional(text(MAX_NOTE)),
    leads,
  }),
  /** Undoes the changes that created these versions. Answers and notes have their own undo. */
  undo: z.object({ leads }),
} as const

/**
 * The request bodies of what else owners do with a lead, keyed by the last part of their path:
 * `/api/leads/Q-7K3M-9QXD/<key>`.
 */
export const leadActions = {
  /** `key` is an idempotency key: a repeated request stores only one note. */
  notes: z.object({ text: text(MAX_NOTE), key }),
  /**
   * `key` is an idempotency key: a repeated request sends only one email. An answer deletes the
   * stored draft only if that is still `base`, or has the same text as the answer. The server also
   * accepts `to`: another address from which somebody has written, or a corrected one of the
   * person. `files`: which of the files of the draft go with it.
   */
  answers: z.object({
    text: text(MAX_ANSWER),
    key,
    base,
    version,
    files: z.optional(z.array(z.uuid(reload)).check(z.maxLength(MAX_ATTACHED, tooManyFiles))),
  }),
  /**
   * If the stored draft isn't `base`, the server responds with a 409 that contains the stored draft
   * in `draft`.
   */
  draft: z.object({ text: draft, base, version }),
  /** `upTo`: the newest event that the page shows; 0 if there is none. */
  seen: z.object({ upTo: wholeNumber }),
  /** The lead's email address, which the owner types to confirm. */
  erase: z.object({ email: z.string("Type the person's email address.").check(z.trim()) }),
} as const

/** The response to an action. A 409 response contains the lead's current status in `current`. */
export const leadStatus = z.object({ state: z.enum(leadStates), version: z.number() })
export type LeadStatus = z.infer<typeof leadStatus>

/** The response to a change. */
export const changeStatus = z.object({
  changed: z.array(z.extend(leadStatus, { reference: z.string() })),
  /**
   * The references of leads that somebody else has changed or erased meanwhile: they stay as they
   * are.
   */
  left: z.array(z.string()),
})
export type ChangeStatus = z.infer<typeof changeStatus>
export const answerQueued = z.extend(leadStatus, { key: z.string(), sendsAt: z.string() })
export const answerUndone = z.extend(leadStatus, { text: z.string() })
