import { useEffect, useRef, useState } from 'react'
import { Outlet, ScrollRestoration, useParams } from 'react-router-dom'
import { inboxPath } from '#shared/inbox/api.ts'
import type { LeadRow } from '#shared/inbox/lead.ts'
import { LeadList } from './lead-list.tsx'
import styles from './leads-page.module.css'
import { useList } from './use-list.ts'

/** The list, with one lead beside it. On a phone, the lead replaces the list. */
export function LeadsPage() {
  const { reference } = useParams()
  const list = useList()
  return (
    <>
      <div className={reference ? `${styles.panes} ${styles.hasLead}` : styles.panes}>
        <div className={styles.list}>
          <LeadList list={list} current={reference} />
        </div>
        <div className={styles.lead}>
          <Outlet />
        </div>
      </div>
      {/* On a phone, going back returns to the same place in the list. The browser stores only this place. */}
      <ScrollRestoration getKey={({ pathname, key }) => (pathname === inboxPath ? pathname : key)} />
      {/* Outside the list, which a phone hides while a lead is open: screen readers announce nothing in hidden elements. */}
      {list.view === 'open' && list.search === '' && !list.isPrevious && <NewLeads rows={list.rows} />}
    </>
  )
}

/** Tells screen readers about leads that appear while the page is open. */
function NewLeads({ rows }: { rows: LeadRow[] | undefined }) {
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

/** Shown next to the list until the owner chooses a lead. */
export function NoLead() {
  return (
    <div className={styles.paper}>
      <p>
        Choose a request on the left.{' '}
        <span>
          Press <kbd>?</kbd> for keyboard shortcuts.
        </span>
      </p>
    </div>
  )
}
