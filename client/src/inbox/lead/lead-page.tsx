import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { Navigate, useLocation, useParams } from 'react-router-dom'
import { inboxPath } from '#shared/inbox/api.ts'
import type { LeadDetail } from '#shared/inbox/lead.ts'
import { usePending } from '../data/pending.ts'
import { findRow, leadQuery } from '../data/queries.ts'
import { useNotify } from '../frame/notices.tsx'
import { NoSuchPage } from '../frame/other-pages.tsx'
import { focusHeading } from '../ui/focus.ts'
import { ActionBar } from './action-bar.tsx'
import { EraseSheet } from './erase-sheet.tsx'
import { LeadFacts } from './lead-facts.tsx'
import { LeadHead } from './lead-head.tsx'
import styles from './lead-page.module.css'
import warning from './lead-warnings.module.css'
import { LeadWarnings, SuspectPanel } from './lead-warnings.tsx'
import { Thread } from './thread.tsx'

/** Is mounted again for each lead: see leads-page.tsx. */
export function OpenLead() {
  const { reference = '' } = useParams()
  const { search } = useLocation()
  const { data, error, refetch } = useQuery(leadQuery(reference))
  const withPending = usePending()
  const lead = withPending(data)
  const [erased, setErased] = useState<{ lead: LeadDetail; address: string }>()
  // Until the lead is loaded, its row in the list shows who it is.
  const known = lead ?? withPending(findRow(reference))
  useFocusOnHeading(known !== undefined)
  usePendingAnswer(lead)
  if (lead && lead.reference !== reference)
    return <Navigate to={{ pathname: `${inboxPath}/${lead.reference}`, search }} replace />
  return (
    <>
      {error?.status === 404 ? (
        <NoSuchPage />
      ) : (
        <article className={styles.lead} aria-busy={!lead}>
          <div className={styles.beside}>
            {known && <LeadHead row={known} />}
            {lead && <LeadFacts lead={lead} />}
          </div>
          <div className={styles.thread}>
            {error && !lead && (
              <div className={warning.trouble} role="alert">
                <p>{`This request could not be loaded: ${error.message}`}</p>
                <button type="button" onClick={() => refetch()}>
                  Try again
                </button>
              </div>
            )}
            {lead && (
              <>
                {lead.isSuspect && <SuspectPanel lead={lead} />}
                <Thread lead={lead} />
                <LeadWarnings lead={lead} />
              </>
            )}
          </div>
          {lead && <ActionBar lead={lead} onErase={(address) => setErased({ lead, address })} />}
        </article>
      )}
      {/* Outside the article, which disappears together with the lead. */}
      {erased && <EraseSheet {...erased} onClose={() => setErased(undefined)} />}
    </>
  )
}

/** Offers to undo an answer that is about to be sent, even after a reload or on another device. */
function usePendingAnswer(lead: LeadDetail | undefined) {
  const notify = useNotify()
  const key = lead?.pendingAnswer?.key
  useEffect(() => {
    if (lead?.pendingAnswer) notify({ kind: 'answer', about: lead, ...lead.pendingAnswer })
  }, [key, notify])
}

/**
 * Moves the focus to the lead's name when the lead is opened, so that
 * screen readers and the Tab key start there.
 */
function useFocusOnHeading(isKnown: boolean) {
  // On the first page of a visit, leave the focus to the browser.
  const isFirst = useLocation().key === 'default'
  useEffect(() => {
    if (!isFirst && !document.querySelector('dialog[open]')) focusHeading()
  }, [])
  // Until it has a name, the page had the focus, unless somebody has moved it meanwhile.
  useEffect(() => {
    if (isKnown && document.activeElement?.matches('main')) focusHeading()
  }, [isKnown])
}
