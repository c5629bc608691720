import { useEffect, useRef, useState } from 'react'
import type { LeadRow } from '#shared/inbox/lead.ts'

/** Tells screen readers about leads that appear while the page is open. */
export function NewLeads({ rows }: { rows: LeadRow[] | undefined }) {
  const known = useRef<Set<string> | undefined>(undefined)
  const [text, setText] = useState('')
  useEffect(() => {
    if (!rows) return
    const isNew = (row: LeadRow) => row.isUnread && known.current?.has(row.reference) === false
    const news = rows.filter(isNew)
    known.current = new Set([...(known.current ?? []), ...rows.map(({ reference }) => reference)])
    if (news.length === 1) setText(`New request from ${news[0]?.name}`)
    if (news.length > 1) setText(`${news.length} new requests`)
  }, [rows])
  return (
    <p className="visually-hidden" role="status">
      {text}
    </p>
  )
}
