import type { LeadState, LeadStatus } from '#shared/inbox/lead.ts'
import { isOpenSuspect, isSuspect } from '../../leads/spam-score.ts'
import { type Change, type ChangeDeps, changeLead, type Decision } from './change-lead.ts'
import { conflict } from './conflict.ts'
import type { StoredLead } from './lock-lead.ts'

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
