import { useEffect } from 'react'
import type { LeadDetail } from '#shared/inbox/lead.ts'
import { useNotify } from '../frame/notices.ts'

/** Offers to undo an answer that is about to be sent, even after a reload or on another device. */
export function PendingAnswer({ lead }: { lead: LeadDetail }) {
  const notify = useNotify()
  const { reference, firstName, name, pendingAnswer } = lead
  const { key, sendsAt } = pendingAnswer ?? {}
  useEffect(() => {
    if (key && sendsAt) notify({ kind: 'answer', reference, name: firstName || name, key, sendsAt })
  }, [key, sendsAt, reference, firstName, name, notify])
  return null
}
