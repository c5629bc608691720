import type { LeadState } from '#shared/inbox/lead.ts'

type Sorted = { state: LeadState; due_at: string; follow_up_on: string | null; trouble: string | null }

/**
 * Returns a key that orders the lists; `reads/lists.ts` depends on the format of the keys. The key of an open lead begins
 * with "1" if the lead has a follow-up, and otherwise with "0" if an answer did not arrive. The key of any other open lead
 * is its due time, which begins with the "2" of its year. Answered leads with a follow-up are sorted among the open ones.
 * The key of all remaining leads is the time of their last change.
 */
export function sortKey({ state, due_at, follow_up_on, trouble }: Sorted, changedAt: string): string {
  if (state !== 'open' && !(state === 'answered' && follow_up_on)) return changedAt
  if (follow_up_on) return `1${follow_up_on}`
  return trouble ? `0${changedAt}` : due_at
}
