import { useEffect, useRef } from 'react'
import { Outlet, ScrollRestoration, useParams } from 'react-router-dom'
import { inboxPath } from '#shared/inbox/api.ts'
import { LeadList } from './lead-list.tsx'
import styles from './leads-page.module.css'
import { SelectionBar } from './selection-bar.tsx'
import { type List, useList } from './use-list.ts'
import { useSelection } from './use-selection.ts'

/** The list, with one lead beside it. On a phone, the lead replaces the list. */
export function LeadsPage() {
  const { reference } = useParams()
  const list = useList()
  const selection = useSelection(list)
  const pane = useRef<HTMLDivElement>(null)
  // In a wide window, the list scrolls, not the page.
  useEffect(() => void pane.current?.scrollTo(0, 0), [list.id])
  useEffect(() => {
    if (!reference) return
    document.querySelector(`[data-row="${CSS.escape(reference)}"]`)?.scrollIntoView({ block: 'nearest' })
  }, [reference])
  return (
    <>
      {/*
       * On a phone, going back returns to the same place. The browser stores only this place.
       * Before the lead, which then scrolls to what is new in it.
       */}
      <ScrollRestoration
        getKey={({ pathname, search, key }) => (pathname === inboxPath ? pathname + search : key)}
      />
      <div className={reference ? `${styles.panes} ${styles.hasLead}` : styles.panes}>
        <div ref={pane} className={styles.list}>
          <LeadList list={list} current={reference} selection={selection} />
          <SelectionBar {...selection} />
        </div>
        {/* With a key, each lead begins at its top, and without anything of the one before. */}
        <div key={reference} className={styles.lead} data-pane>
          <Outlet context={list.rows ?? []} />
        </div>
      </div>
      {/* Outside the list, because a phone hides it, and nothing hidden is announced. */}
      <p className="visually-hidden" role="status">
        {newsInWords(list)}
      </p>
    </>
  )
}

/** Tells screen readers about leads that have come since the list was opened. */
function newsInWords({ news }: List): string {
  if (news.length > 1) return `${news.length} new requests`
  return news[0] ? `New request from ${news[0].name}` : ''
}

/** Shown next to the list until the owner chooses a lead. */
export function NoLead() {
  return (
    <div className={styles.paper}>
      <p>
        Choose a request, or press <kbd>?</kbd> for keyboard shortcuts.
      </p>
    </div>
  )
}
