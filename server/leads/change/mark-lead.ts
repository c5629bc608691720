import { sql } from 'kysely'
import type { LeadResult, LeadState } from '#shared/inbox/lead.ts'
import type { Answered, LeadStatus } from '#shared/inbox/lead-changes.ts'
import { officeTimeInWords } from '#shared/office-time-in-words.ts'
import type { Database } from '../../database/schema.ts'
import { Problem } from '../../errors/problem.ts'
import { isSuspect } from '../../spam/spam-score.ts'
import { lastAnswerId, unanswered } from '../emails/reply-notices.ts'
import { isOpenSuspect } from '../lead-store.ts'
import {
  type Change,
  type ChangeDeps,
  changeLead,
  conflict,
  type Decision,
  requireNotSpam,
  type StoredLead,
  type Undoable,
  wasUndone,
} from './change-lead.ts'

/**
 * Changes the state of a lead. Moving it to or from spam is a verdict, which the spam filter learns
 * from, and so is opening a suspect. `answered`: when and how an owner has answered outside the
 * inbox, at the earliest when the request came in. Throws a Problem: `conflict` if the lead has
 * changed or the new state isn't allowed.
 */
export const markLead = (
  deps: ChangeDeps,
  { state, answered, ...change }: Change & { state: LeadState; answered?: Answered | undefined },
): Promise<LeadStatus> =>
  changeLead(deps, change, async (lead, at, transaction) => {
    const isCleared = state === 'open' && (lead.state === 'spam' || isOpenSuspect(lead))
    const isAnsweredAgain = answered && state === 'answered' && lead.follow_up_at !== null
    if (lead.state === state && !isCleared && !isAnsweredAgain)
      throw conflict(lead, `This lead is already marked as ${state}.`)
    if (!isCleared) requireNotSpam(lead)
    const event =
      state === 'spam' || isCleared
        ? { what: 'verdict' as const, to_value: isCleared ? 'honest' : 'spam' }
        : { what: 'state' as const }
    if (!answered) {
      const isReopened = state === 'open' && !isCleared
      const answered_at = isReopened ? await answeredBeforeMark(transaction, lead) : lead.answered_at
      return { set: { answered_at, ...columnsFor(lead, state, at) }, event }
    }
    const then = timeOfAnswer(lead, at, answered.at)
    const text = `By ${answered.by}, ${officeTimeInWords(then)}${answered.note ? `. ${answered.note}` : ''}`
    const columns = columnsFor(lead, state, then)
    const set = answered.by === 'email' && state === 'answered' ? keepPlan(lead, columns, at) : columns
    return { set, event: { ...event, text } }
  })

/**
 * When a lead was answered, not counting the mark of an owner who says now that it is open: then it
 * was answered only as that mark said.
 */
async function answeredBeforeMark(transaction: Database, lead: StoredLead): Promise<string | null> {
  const last = await transaction
    .selectFrom('leads')
    .innerJoin('lead_events', 'lead_id', 'leads.id')
    .select(['what', 'before'])
    .where('leads.id', '=', lead.id)
    .where('lead_events.id', '=', lastAnswerId)
    .executeTakeFirst()
  const before: Partial<Undoable> = last?.what === 'state' ? JSON.parse(last.before ?? '{}') : {}
  const { answered_at = lead.answered_at } = before
  return answered_at
}

/** When an owner has answered: between the request and now. */
export const timeOfAnswer = ({ created_at }: StoredLead, now: Date, at = now.toISOString()): Date =>
  new Date(Math.min(Math.max(Date.parse(at), Date.parse(created_at)), now.getTime()))

/**
 * The columns that a new state sets. Every state removes the follow-up, and every state except
 * `spam` marks suspected spam as honest. Spam has no result.
 */
function columnsFor(lead: StoredLead, state: LeadState, at: Date): Decision['set'] {
  const { trouble, replied_at } = state === 'open' ? lead : { trouble: null, replied_at: null }
  const set = { state, follow_up_at: null, trouble, replied_at }
  if (state === 'spam') return { ...set, verdict: 'spam', result: null }
  const verdict = lead.state === 'spam' || isSuspect(lead.spam_score) ? 'honest' : lead.verdict
  if (state === 'open') return { ...set, verdict }
  return { ...set, verdict, answered_at: lead.answered_at ?? at.toISOString() }
}

/** The columns that an owner's email to the person sets. */
export function columnsAfterEmail(lead: StoredLead, at: Date): Decision['set'] {
  const state = lead.state === 'open' ? 'answered' : lead.state
  return { ...keepPlan(lead, columnsFor(lead, 'answered', at), at), state }
}

/** Keeps a follow-up that has not come yet: the owner has planned more than an email. */
const keepPlan = ({ follow_up_at }: StoredLead, set: Decision['set'], now: Date): Decision['set'] =>
  follow_up_at && follow_up_at > now.toISOString() ? { ...set, follow_up_at } : set

/**
 * Sets what became of a lead; null removes that. Whoever decides about a lead has answered it, by
 * phone at least. Throws a Problem: `conflict` if the lead has changed, is spam, or has that
 * result.
 */
export const markResult = (
  deps: ChangeDeps,
  { result, ...change }: Change & { result: LeadResult | null },
): Promise<LeadStatus> =>
  changeLead(deps, change, (lead, at) => {
    requireNotSpam(lead)
    if (lead.result === result)
      throw conflict(lead, `This lead is already marked as ${result ?? 'neither won nor lost'}.`)
    const answered = result === null ? {} : columnsFor(lead, 'answered', at)
    return {
      set: { ...answered, result },
      event: { what: 'result', from_value: lead.result, to_value: result },
    }
  })

/**
 * Ends the promise of a reply without an answer. The lead goes back to where it was before the
 * person wrote again: if nobody has answered the request, that still waits. Without a message, the
 * request itself needs no answer. Throws a Problem: `conflict` if the lead has changed, or if
 * nobody waits.
 */
export const nothingToAnswer = (deps: ChangeDeps, change: Change): Promise<LeadStatus> =>
  changeLead(deps, change, async (lead, _at, transaction) => {
    if (lead.state !== 'open' || isOpenSuspect(lead)) throw conflict(lead, 'Nobody waits for an answer.')
    const alone = { state: 'answered', follow_up_at: null, due_at: lead.due_at } as const
    const { state, follow_up_at, due_at } = (await beforeReplies(transaction, lead)) ?? alone
    const trouble = state === 'open' ? lead.trouble : null
    return {
      set: { state, replied_at: null, follow_up_at: lead.follow_up_at ?? follow_up_at, trouble, due_at },
      event: { what: 'nothing_to_answer' },
    }
  })

/** For queries of `leads`: the event with which an owner last changed the state back to open. */
const lastOpened = sql<number>`coalesce((select max(opened.id) from lead_events as opened
  where opened.lead_id = leads.id and opened.what = 'state' and opened.to_value = 'open'
    and not ${wasUndone('opened')}), 0)`

/** What a lead was before somebody wrote who waits for an answer; undefined if nobody has. */
export async function beforeReplies(
  transaction: Database,
  { id, replied_at, trouble, due_at }: StoredLead,
): Promise<Pick<Undoable, 'state' | 'follow_up_at' | 'due_at'> | undefined> {
  const replies = await unanswered(transaction, id)
    .where('lead_events.id', '>', lastOpened)
    .select(['before', 'from_value', 'last_answer as lastAnswer'])
    .orderBy('lead_events.id')
    .execute()
  const [first] = replies
  if (!first) return undefined
  // Earlier versions did not store what a message has changed.
  const changed = replies.map(({ before }): Partial<Undoable> => JSON.parse(before ?? '{}'))
  // An owner may have postponed the lead between two messages.
  const follow_up_at = changed.findLast((one) => one.follow_up_at)?.follow_up_at ?? null
  if (first.from_value === 'open')
    return { state: 'open', follow_up_at, due_at: changed[0]?.due_at ?? due_at }
  // An answer may have failed, or been undone, only after the person wrote again: what it answered
  // still waits. Without `replied_at`, that is what the person wrote.
  const hasFailed = trouble !== null && replied_at !== null
  return { state: hasFailed || first.lastAnswer === 0 ? 'open' : 'answered', follow_up_at, due_at }
}

// Without this limit, a typo in the year would hide the lead for many years.
const MAX_DAYS = 366
const DAY_MS = 24 * 60 * 60 * 1000

/**
 * Hides a lead until a time. Then it returns to the top of the list. `note`: why. Null removes the
 * follow-up. Throws a Problem: `conflict` if the lead has changed, or is spam; `invalid_input` for
 * a time that is not within the next year.
 */
export const followUp = (
  deps: ChangeDeps,
  { at: time, note, ...change }: Change & { at: string | null; note?: string | undefined },
): Promise<LeadStatus> =>
  changeLead(deps, change, (lead, now) => {
    requireNotSpam(lead)
    const follow_up_at = inUtc(time)
    const last = new Date(now.getTime() + MAX_DAYS * DAY_MS).toISOString()
    if (follow_up_at && (follow_up_at <= now.toISOString() || follow_up_at > last))
      throw new Problem('invalid_input', 'Please choose a time from now to a year from now.')
    return {
      set: { follow_up_at },
      event: {
        what: 'follow_up',
        from_value: lead.follow_up_at,
        to_value: follow_up_at,
        text: note ?? null,
      },
    }
  })

/** A follow-up's time as it is stored, however it was written. */
export const inUtc = (time: string | null): string | null => time && new Date(time).toISOString()
