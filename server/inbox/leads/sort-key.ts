import type { LeadState } from '#shared/inbox/lead.ts'

type Sorted = { state: LeadState; due_at: string; follow_up_on: string | null; trouble: string | null }

/**
 * Orders the lists. Open leads: first those whose answer did not arrive, then those to follow up on, then by due time (which
 * begins with a 2). Other leads: by the time of the change.
 */
export function sortKey({ state, due_at, follow_up_on, trouble }: Sorted, changedAt: string): string {
  if (state !== 'open' && !(state === 'answered' && follow_up_on)) return changedAt
  if (trouble) return `0${changedAt}`
  return follow_up_on ? `1${follow_up_on}` : due_at
}
