import { useState } from 'react'
import type { LeadDetail } from '#shared/inbox/lead.ts'
import { useOwner } from '../frame/session.tsx'
import { newsSince } from './news-since.ts'

/** What has happened to a lead since a sheet covers its page, such as a message that came. */
export function NewsWhileOpen({ lead }: { lead: LeadDetail }) {
  const [atFirst] = useState(lead)
  const { session } = useOwner()
  const news = newsSince(atFirst, lead, session.owner)
  return (
    <p className="error" role="alert">
      {news}
    </p>
  )
}
