import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import { Outlet, useParams } from 'react-router-dom'
import type { LeadRow } from '#shared/inbox/lead.ts'
import { LeadList } from './lead-list.tsx'
import styles from './leads-page.module.css'
import { useList } from './use-list.ts'

/** The list, with one lead beside it. On a phone, the lead replaces the list. */
export function LeadsPage() {
  const { reference } = useParams()
  const list = useList()
  useKeepScroll(reference !== undefined)
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
      {/* Outside the list, which a phone hides while a lead is open: screen readers announce nothing in hidden elements. */}
      {list.view === 'open' && list.search === '' && <NewLeads rows={list.rows} />}
    </>
  )
}

/** On a phone, opening a lead scrolls to its top, and going back returns to the same place in the list. */
function useKeepScroll(hasLead: boolean) {
  const listTop = useRef(0)
  useLayoutEffect(() => {
    if (hasLead) {
      window.scrollTo(0, 0)
      return
    }
    window.scrollTo(0, listTop.current)
    const remember = () => {
      listTop.current = window.scrollY
    }
    window.addEventListener('scroll', remember, { passive: true })
    return () => window.removeEventListener('scroll', remember)
  }, [hasLead])
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
