import type { LeadState, LeadStatus } from '#shared/inbox/lead.ts'
import { officeDay } from '../../leads/office-time.ts'
import { isOpenSuspect, isSuspect } from '../../leads/spam-score.ts'
import { Problem } from '../../problem.ts'
import {
  addEvent,
  type Change,
  type ChangeDeps,
  changeLead,
  conflict,
  type Decision,
  lockLead,
  type StoredLead,
} from './change-lead.ts'

// Without this limit, a typo in the year would hide the lead for many years.
const MAX_DAYS = 366

/**
 * Changes the state of a lead. Moving it to or from spam is a verdict, which the spam filter learns from, and so is opening
 * a suspect. Throws a Problem: `conflict` if the lead has changed or the new state isn't allowed.
 */
export const markLead = (
  deps: ChangeDeps,
  { state, ...change }: Change & { state: LeadState },
): Promise<LeadStatus> =>
  changeLead(deps, change, (lead, at) => {
    const isCleared = state === 'open' && (lead.state === 'spam' || isOpenSuspect(lead))
    if (lead.state === state && !isCleared) throw conflict(lead, `This lead is already marked as ${state}.`)
    if (lead.state === 'spam' && !isCleared)
      throw conflict(lead, 'This lead is marked as spam. Mark it as not spam first.')
    const event =
      state === 'spam' || isCleared
        ? { what: 'verdict' as const, to_value: isCleared ? 'honest' : 'spam' }
        : { what: 'state' as const, to_value: state }
    return { set: columnsFor(lead, state, at), event: { ...event, from_value: lead.state } }
  })

/**
 * The columns that a new state sets. Every state removes the follow-up, and every state except `spam` marks suspected spam
 * as honest.
 */
export function columnsFor(lead: StoredLead, state: LeadState, at: Date): Decision['set'] {
  const set = { state, follow_up_on: null, trouble: state === 'open' ? lead.trouble : null }
  if (state === 'spam') return { ...set, verdict: 'spam' }
  const verdict = lead.state === 'spam' || isSuspect(lead.spam_score) ? 'honest' : lead.verdict
  if (state === 'open' || state === 'lost') return { ...set, verdict }
  return { ...set, verdict, answered_at: lead.answered_at ?? at.toISOString() }
}

/**
 * Hides a lead until the day `on` ("2026-03-02"). On that day, the lead returns to the top of the list. Null removes
 * the follow-up. Throws a Problem: `conflict` if the lead has changed, or if it is neither open nor answered;
 * `invalid_input` for a day that is not within the next year.
 */
export const followUp = (
  deps: ChangeDeps,
  { on, ...change }: Change & { on: string | null },
): Promise<LeadStatus> =>
  changeLead(deps, change, (lead, at) => {
    if (lead.state !== 'open' && lead.state !== 'answered')
      throw conflict(lead, `This lead is marked as ${lead.state}: there is nothing to follow up on.`)
    const lastDay = officeDay(new Date(at.getTime() + MAX_DAYS * 24 * 60 * 60 * 1000))
    if (on !== null && (on <= officeDay(at) || on > lastDay))
      throw new Problem('invalid_input', 'Please choose a day between tomorrow and a year from now.')
    return {
      set: { follow_up_on: on },
      event: { what: 'follow_up', from_value: lead.follow_up_on, to_value: on },
    }
  })

/** Records who first opened the lead, and when. */
export const markSeen = (
  { write, now }: ChangeDeps,
  { reference, who }: Omit<Change, 'version'>,
): Promise<LeadStatus> =>
  write(async (transaction) => {
    const { id, state, version, seen_at } = await lockLead(transaction, reference)
    if (seen_at === null) {
      const at = now().toISOString()
      await transaction.updateTable('leads').set({ seen_at: at }).where('id', '=', id).execute()
      await addEvent(transaction, { lead_id: id, at, who, what: 'seen' })
    }
    return { state, version }
  })

type NoteKey = Omit<Change, 'version'> & { key: string }

/**
 * Adds a note, but only once per key. It neither checks nor increases the lead's version, because a note never conflicts
 * with other changes.
 */
export const noteLead = (
  { write, now }: ChangeDeps,
  { reference, who, text, key }: NoteKey & { text: string },
): Promise<LeadStatus> =>
  write(async (transaction) => {
    const { id, state, version } = await lockLead(transaction, reference)
    await transaction
      .insertInto('lead_events')
      .values({ lead_id: id, at: now().toISOString(), who, what: 'note', text, key })
      .onConflict((conflict) => conflict.column('key').doNothing())
      .execute()
    return { state, version }
  })

/** Deletes a note, if this owner wrote it. Safe to repeat. */
export const undoNote = ({ write }: ChangeDeps, { reference, who, key }: NoteKey): Promise<LeadStatus> =>
  write(async (transaction) => {
    const { id, state, version } = await lockLead(transaction, reference)
    await transaction
      .deleteFrom('lead_events')
      .where((event) => event.and({ lead_id: id, who, key, what: 'note' }))
      .execute()
    return { state, version }
  })
