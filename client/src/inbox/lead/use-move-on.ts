import { useLocation, useNavigate, useOutletContext } from 'react-router-dom'
import { inboxPath } from '#shared/inbox/api.ts'
import type { LeadRow } from '#shared/inbox/lead.ts'
import { isOn } from '../ui/setting.tsx'

/** The setting whether the next request opens after an action. */
export const MOVES_ON = 'inbox-next'

/**
 * Returns a function that opens the next lead of the list or, after the last one, the list. For a
 * lead that is not in the list, such as one that was answered before, the first one is next.
 */
export function useMoveOn(reference: string): () => void {
  const rows = useOutletContext<readonly LeadRow[]>()
  const navigate = useNavigate()
  const { search } = useLocation()
  return () => {
    const at = rows.findIndex((row) => row.reference === reference)
    if (!isOn(MOVES_ON)) return
    const next = rows[at + 1]
    // Replaces the finished lead, so that the Back button leads to the list.
    const path = next ? `${inboxPath}/${next.reference}${search}` : inboxPath + search
    navigate(path, { replace: true, state: { isNext: true } })
  }
}
