import type { LeadRow, LeadState, LeadView } from '#shared/inbox/lead.ts'

/** A change of one lead that shows at once. */
export type LeadChange =
  | { kind: 'state'; state: LeadState }
  | { kind: 'follow-up'; on: string | null }
  | { kind: 'verdict'; verdict: 'spam' | 'honest' }

type Shown = Pick<LeadRow, 'state' | 'isSuspect' | 'followUpOn' | 'trouble'>

/** What the server will make of a lead. */
export function applyChange<Lead extends Shown>(lead: Lead, change: LeadChange): Lead {
  if (change.kind === 'follow-up') return { ...lead, followUpOn: change.on }
  const state = change.kind === 'state' ? change.state : change.verdict === 'spam' ? 'spam' : 'open'
  const isOpen = state === 'open'
  return {
    ...lead,
    state,
    isSuspect: false,
    followUpOn: isOpen ? lead.followUpOn : null,
    trouble: isOpen ? lead.trouble : null,
  }
}

/** Takes a change back; null if no change does. */
export function undoOf(change: LeadChange, before: Shown): LeadChange | null {
  if (change.kind === 'follow-up') return { kind: 'follow-up', on: before.followUpOn }
  // No change makes a lead a suspect again.
  if (before.isSuspect && change.kind === 'verdict' && change.verdict === 'honest') return null
  if (change.kind === 'verdict' && before.state === 'spam') return { kind: 'verdict', verdict: 'spam' }
  return { kind: 'state', state: before.state }
}

/** Whether a list shows the lead. `today` is the date at the office. */
export function isInView(view: LeadView, { state, isSuspect, followUpOn }: Shown, today: string): boolean {
  if (view === 'all') return true
  if (followUpOn !== null && (state === 'open' || state === 'answered'))
    return view === (followUpOn > today ? 'waiting' : 'open')
  return view === (isSuspect ? 'suspects' : state)
}
