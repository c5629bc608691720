import type { LeadRow, LeadState, LeadView } from '#shared/inbox/lead.ts'

type Shown = Pick<LeadRow, 'state' | 'isSuspect' | 'followUpOn' | 'trouble'>

/** A change to one lead. The page shows it before the server has confirmed it. */
export type LeadChange = { kind: 'state'; state: LeadState } | { kind: 'follow-up'; on: string | null }

/** Returns the lead as it will be if the server accepts the change. */
export function applyChange<Lead extends Shown>(lead: Lead, change: LeadChange): Lead {
  if (change.kind === 'follow-up') return { ...lead, followUpOn: change.on }
  const { state } = change
  const trouble = state === 'open' ? lead.trouble : null
  return { ...lead, state, isSuspect: false, followUpOn: null, trouble }
}

/** Whether a view lists the lead. `today` is the date at the office. */
export function isInView(view: LeadView, { state, isSuspect, followUpOn }: Shown, today: string): boolean {
  if (view === 'all') return true
  if (followUpOn !== null && (state === 'open' || state === 'answered'))
    return view === (followUpOn > today ? 'waiting' : 'open')
  return view === (isSuspect ? 'suspects' : state)
}
