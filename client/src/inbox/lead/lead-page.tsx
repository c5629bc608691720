import { useEffect, useRef } from 'react'
import { Navigate, useLocation, useParams } from 'react-router-dom'
import { inboxPath } from '#shared/inbox/api.ts'
import { useLead, useLeadRow } from '../data/queries.ts'
import { useShowApp } from '../frame/app-element.ts'
import { NotFound } from '../frame/not-found.tsx'
import { ActionBar } from './action-bar.tsx'
import { EarlierRequests } from './earlier-requests.tsx'
import { Facts } from './facts.tsx'
import { History } from './history.tsx'
import { LeadHead } from './lead-head.tsx'
import styles from './lead-page.module.css'
import { PendingAnswer } from './pending-answer.tsx'
import { StuckAnswer } from './stuck-answer.tsx'
import { SuspectPanel } from './suspect-panel.tsx'
import { WithheldReceipt } from './withheld-receipt.tsx'

/** Whether the text looks like a reference. It may contain a mistyped O or I, which the server corrects. */
const isReference = (text: string) => /^Q-?[0-9A-Z]{4}-?[0-9A-Z]{4}$/i.test(text)

export function LeadPage() {
  const { reference = '' } = useParams()
  return isReference(reference) ? <Lead key={reference} reference={reference} /> : <NotFound />
}

function Lead({ reference }: { reference: string }) {
  const { search } = useLocation()
  const { data: lead, error, refetch } = useLead(reference)
  const row = useLeadRow(reference)
  const article = useFocusOnHeading()
  useShowApp(lead !== undefined || error !== null)
  if (error?.status === 404) return <NotFound />
  if (lead && lead.reference !== reference)
    return <Navigate to={{ pathname: `${inboxPath}/${lead.reference}`, search }} replace />
  const known = lead ?? row
  return (
    <article ref={article} className={styles.lead} aria-busy={!lead}>
      {known && <LeadHead row={known} />}
      {error && !lead && (
        <div className={styles.trouble} role="alert">
          <p>This request could not be loaded: {error.message}</p>
          <button type="button" onClick={() => refetch()}>
            Try again
          </button>
        </div>
      )}
      {known?.trouble && (
        <p className={styles.trouble}>
          <strong>{known.trouble}</strong> Call, or check the address and answer again.
        </p>
      )}
      {lead?.stuckSince && !lead.trouble && <StuckAnswer lead={lead} since={lead.stuckSince} />}
      {known?.addressDoubt && !known.trouble && (
        <p className={styles.trouble}>
          <strong>{known.addressDoubt}</strong> The mail server refused the receipt: this mailbox does not
          exist.
        </p>
      )}
      {lead?.isSuspect && <SuspectPanel lead={lead} />}
      {lead?.canSendReceipt && <WithheldReceipt lead={lead} />}
      <section className={styles.message} aria-label="Message">
        <p dir="auto">{lead ? lead.message : known?.firstWords}</p>
      </section>
      {lead && (
        <>
          <PendingAnswer lead={lead} />
          <Facts lead={lead} />
          <EarlierRequests others={lead.others} />
          <History lead={lead} />
          <ActionBar lead={lead} />
        </>
      )}
    </article>
  )
}

/** Moves the focus to the lead's name when the lead is opened, so that screen readers and the Tab key start there. */
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
