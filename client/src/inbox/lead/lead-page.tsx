import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { Navigate, useLocation, useParams } from 'react-router-dom'
import { inboxPath } from '#shared/inbox/api.ts'
import type { LeadDetail } from '#shared/inbox/lead.ts'
import { anything, post } from '../data/api.ts'
import { usePending } from '../data/pending.ts'
import { findRow, leadQuery, patchLead, pathOf } from '../data/queries.ts'
import { useNow } from '../data/timers.ts'
import { useNotify } from '../frame/notices.tsx'
import { NoSuchPage } from '../frame/other-pages.tsx'
import { FromElsewhere } from '../ui/address.tsx'
import { isElsewhere } from '../words/lead-words.ts'
import { moment } from '../words/times.ts'
import { ActionBar } from './action-bar.tsx'
import { EraseSheet } from './erase-sheet.tsx'
import { EarlierRequests, Facts, LeadHistory, MessageWords } from './lead-details.tsx'
import { LeadHead } from './lead-head.tsx'
import styles from './lead-page.module.css'
import warning from './lead-warnings.module.css'
import { LeadWarnings } from './lead-warnings.tsx'

/** Is mounted again for each lead: see leads-page.tsx. */
export function OpenLead() {
  const { reference = '' } = useParams()
  const { search } = useLocation()
  const { data, error, refetch } = useQuery(leadQuery(reference))
  const withPending = usePending()
  const lead = withPending(data)
  const [erased, setErased] = useState<{ lead: LeadDetail; address: string }>()
  const article = useFocusOnHeading()
  useMarkSeen(lead)
  usePendingAnswer(lead)
  if (lead && lead.reference !== reference)
    return <Navigate to={{ pathname: `${inboxPath}/${lead.reference}`, search }} replace />
  // Until the lead is loaded, its row in the list shows who it is.
  const known = lead ?? withPending(findRow(reference))
  return (
    <>
      {error?.status === 404 ? (
        <NoSuchPage />
      ) : (
        <article ref={article} className={styles.lead} aria-busy={!lead}>
          {known && <LeadHead row={known} />}
          {error && !lead && (
            <div className={warning.trouble} role="alert">
              <p>This request could not be loaded: {error.message}</p>
              <button type="button" onClick={() => refetch()}>
                Try again
              </button>
            </div>
          )}
          {known && <LeadWarnings row={known} lead={lead} />}
          {lead?.repliedAt && <LastReply lead={lead} />}
          <section className={styles.message} aria-label="Message">
            <p dir="auto" className="typed">
              {lead ? lead.message : known?.words}
            </p>
          </section>
          {lead && (
            <>
              <Facts lead={lead} />
              <EarlierRequests others={lead.others} />
              <LeadHistory lead={lead} />
              <ActionBar lead={lead} onErase={(address) => setErased({ lead, address })} />
            </>
          )}
        </article>
      )}
      {/* Outside the article, which disappears together with the lead. */}
      {erased && <EraseSheet {...erased} onClose={() => setErased(undefined)} />}
    </>
  )
}

/** What the person, or somebody from another address, wrote last, until an owner answers. */
function LastReply({ lead }: { lead: LeadDetail }) {
  const now = useNow()
  const reply = lead.lastReply
  if (!reply) return null
  return (
    <section className={styles.message} aria-label="Reply">
      <p className="muted">
        {isElsewhere(reply, lead) ? <FromElsewhere address={reply.who} /> : 'Wrote again'},{' '}
        {moment(reply.at, now)}:
      </p>
      <MessageWords {...reply} />
    </section>
  )
}

/**
 * Tells the server that an owner has opened the lead. If that fails, the lead just stays unread.
 */
function useMarkSeen(lead: LeadDetail | undefined) {
  const unread = lead?.isUnread ? lead.reference : undefined
  useEffect(() => {
    if (!unread) return
    post(`${pathOf(unread)}/seen`, anything).then(
      () => patchLead(unread, { isUnread: false }),
      () => {},
    )
  }, [unread])
}

/** Offers to undo an answer that is about to be sent, even after a reload or on another device. */
function usePendingAnswer(lead: LeadDetail | undefined) {
  const notify = useNotify()
  const key = lead?.pendingAnswer?.key
  useEffect(() => {
    if (!lead?.pendingAnswer) return
    const { reference, firstName, name, pendingAnswer } = lead
    notify({ kind: 'answer', about: { reference, name: firstName || name }, ...pendingAnswer })
  }, [key, notify])
}

/**
 * Moves the focus to the lead's name when the lead is opened, so that
 * screen readers and the Tab key start there.
 */
function useFocusOnHeading() {
  const article = useRef<HTMLElement>(null)
  // On the first page of a visit, leave the focus to the browser.
  const isFirst = useLocation().key === 'default'
  useEffect(() => {
    if (isFirst || document.querySelector('dialog[open]')) return
    article.current?.querySelector<HTMLElement>('h1')?.focus({ preventScroll: true })
  }, [])
  return article
}
