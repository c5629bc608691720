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

/** Changes the state of a lead. Throws a Problem: `conflict` if the lead has changed or the new state isn't allowed. */
export const markLead = (
  deps: ChangeDeps,
  { state, ...change }: Change & { state: LeadState },
): Promise<LeadStatus> => changeLead(deps, change, (lead, at) => decide(lead, state, at))

/**
 * Stores whether a lead is spam. The verdict `honest` reopens the lead. Throws a Problem: `conflict` if the lead has changed
 * or already has this verdict.
 */
export const judgeLead = (
  deps: ChangeDeps,
  { verdict, ...change }: Change & { verdict: 'spam' | 'honest' },
): Promise<LeadStatus> =>
  changeLead(deps, change, (lead, at) => {
    if (verdict === 'honest' && lead.state !== 'spam' && !isOpenSuspect(lead))
      throw conflict(lead, 'This lead is not marked as spam.')
    return decide(lead, verdict === 'spam' ? 'spam' : 'open', at)
  })

function decide(lead: StoredLead, state: LeadState, at: Date): Decision {
  const isOpened = state === 'open' && (lead.state === 'spam' || isOpenSuspect(lead))
  if (lead.state === state && !isOpened) throw conflict(lead, `This lead is already marked as ${state}.`)
  if (lead.state === 'spam' && !isOpened)
    throw conflict(lead, 'This lead is marked as spam. Mark it as not spam first.')
  const event =
    state === 'spam' || isOpened
      ? { what: 'verdict' as const, to_value: state === 'spam' ? 'spam' : 'honest' }
      : { what: 'state' as const, to_value: state }
  return { set: columnsFor(lead, state, at), event: { ...event, from_value: lead.state } }
}

/**
 * The columns that a new state sets. Every state removes the follow-up, and every state except `spam` marks suspected spam
 * as honest.
 */
export function columnsFor(lead: StoredLead, state: LeadState, at: Date): Decision['set'] {
  const set = { state, follow_up_on: null, trouble: state === 'open' ? lead.trouble : null }
  if (state === 'spam') return { ...set, verdict: 'spam' }
  const verdict = lead.state === 'spam' || isSuspect(lead.spam_score) ? 'honest' : lead.verdict
  if (state === 'open' || state === 'lost') return { ...set, verdict }
  // Stays null for a lead that was answered before answer times were recorded.
  const answered_at = lead.state === 'answered' ? lead.answered_at : (lead.answered_at ?? at.toISOString())
  return { ...set, verdict, answered_at }
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
    assertSoon(on, at)
    return {
      set: { follow_up_on: on },
      event: { what: 'follow_up', from_value: lead.follow_up_on, to_value: on },
    }
  })

function assertSoon(on: string | null, now: Date) {
  const lastDay = officeDay(new Date(now.getTime() + MAX_DAYS * 24 * 60 * 60 * 1000))
  if (on === null || (on > officeDay(now) && on <= lastDay)) return
  const message = 'Please choose a day between tomorrow and a year from now.'
  throw new Problem('invalid_input', message, { errors: [{ field: 'on', message }] })
}

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
