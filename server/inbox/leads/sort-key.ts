import type { LeadState } from '#shared/inbox/lead.ts'

type Sorted = { state: LeadState; due_at: string; follow_up_on: string | null; trouble: string | null }

/**
 * Returns a key that orders the lists; `reads/lists.ts` depends on the format of the keys. Open leads: first those whose
 * answer did not arrive, then those to follow up on, then the others by due time (which starts with the digit 2). Answered
 * leads to follow up on are sorted among the open ones. Other leads: by the time of their last change.
 */
export function sortKey({ state, due_at, follow_up_on, trouble }: Sorted, changedAt: string): string {
  if (state !== 'open' && !(state === 'answered' && follow_up_on)) return changedAt
  if (follow_up_on) return `1${follow_up_on}`
  return trouble ? `0${changedAt}` : due_at
}
