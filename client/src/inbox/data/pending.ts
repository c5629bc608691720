import { useMutationState } from '@tanstack/react-query'
import type { LeadRow } from '#shared/inbox/lead.ts'
import { keys } from './queries.ts'

/** What a change sets, as the page shows it. */
export type Shown = Pick<LeadRow, 'state' | 'result' | 'isSuspect' | 'followUpAt' | 'trouble'>

/**
 * The variables of a change. `shown`: what the page shows of each
 * lead, until the server has responded.
 */
export type PendingChange = { shown: Map<string, Partial<Shown>> }

/**
 * Returns a function that lays the changes that are being sent over a
 * lead or its row, in the order in which they were made. The server's
 * data stays as it is, so that a change that fails leaves nothing.
 */
export function usePending(): <Lead extends LeadRow | undefined>(lead: Lead) => Lead {
  const pending = useMutationState({
    filters: { mutationKey: keys.change, status: 'pending' },
    select: ({ state }) => state.variables as Partial<PendingChange>,
  })
  return (lead) => {
    let seen = lead
    for (const { shown } of pending) {
      const change = lead && shown?.get(lead.reference)
      if (change) seen = { ...seen, ...change }
    }
    return seen
  }
}
