import type { LeadRow, LeadState, LeadView } from '#shared/inbox/lead.ts'

type Shown = Pick<LeadRow, 'state' | 'isSuspect' | 'followUpOn' | 'trouble'>

/** A change of one lead that shows at once. */
export type LeadChange = (
  | { kind: 'state'; state: LeadState }
  | { kind: 'follow-up'; on: string | null }
  /** Null withdraws the verdict. */
  | { kind: 'verdict'; verdict: 'spam' | 'honest' | null }
) & {
  /** What taking back a change brings back. */
  shows?: Shown
}

/** What the server will make of a lead. */
export function applyChange<Lead extends Shown>(lead: Lead, change: LeadChange): Lead {
  if (change.shows) return { ...lead, ...change.shows }
  if (change.kind === 'follow-up') return { ...lead, followUpOn: change.on }
  const state = change.kind === 'state' ? change.state : change.verdict === 'spam' ? 'spam' : 'open'
  const isDone = state === 'answered' && { followUpOn: null, trouble: null }
  return { ...lead, state, isSuspect: false, ...isDone }
}

/** Takes a change back. */
export function undoOf(change: LeadChange, { state, isSuspect, followUpOn, trouble }: Shown): LeadChange {
  const shows = { state, isSuspect, followUpOn, trouble }
  if (change.kind === 'state') return { kind: 'state', state, shows }
  if (change.kind === 'follow-up') return { kind: 'follow-up', on: followUpOn, shows }
  return { kind: 'verdict', verdict: state === 'spam' ? 'spam' : null, shows }
}

/** Whether a list shows the lead. `today` is the date at the office. */
export function isInView(view: LeadView, { state, isSuspect, followUpOn }: Shown, today: string): boolean {
  if (view === 'all') return true
  if (followUpOn !== null && (state === 'open' || state === 'answered'))
    return view === (followUpOn > today ? 'waiting' : 'open')
  return view === (isSuspect ? 'suspects' : state)
}
