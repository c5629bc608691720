import { useEffect, useState } from 'react'
import * as words from '#brand/words/outcome.ts'
import { brand } from '#facts/brand.ts'
import { anchors, sentPanelId, sentReferenceId } from '#shared/pages.ts'
import { OpenOrClosed } from '../ui/office-hours.tsx'
import styles from './contact-form.module.css'

/** `receivedAt`: in ISO format; undefined if the time isn't known. */
export type Sent = { reference?: string | undefined; receivedAt?: string | undefined }

/**
 * Confirms the request and says what happens next. It is always in the document: after a request
 * without JavaScript, the server shows it and inserts the reference (http/pages.ts).
 */
export function SentPanel({ hidden, reference = '', receivedAt }: Sent & { hidden: boolean }) {
  const [quoteDue, setQuoteDue] = useState('')
  useEffect(() => {
    // The office's calendar is loaded only now. Without it, the panel says how long the quote
    // takes.
    if (receivedAt)
      import('./quote-due.ts').then(
        ({ quoteDueInWords }) => setQuoteDue(quoteDueInWords(new Date(receivedAt))),
        () => {},
      )
  }, [receivedAt])
  return (
    <div id={sentPanelId} hidden={hidden} className={styles.panel}>
      <h3 id={anchors.sent} tabIndex={-1} aria-describedby="sent-promise">
        {words.requestIsIn}{' '}
        <span className={styles.reference}>
          {words.beforeReference}
          <span id={sentReferenceId} suppressHydrationWarning>
            {reference}
          </span>
        </span>
      </h3>
      <p id="sent-promise">
        {/* With JavaScript, a toast says this instead. */}
        {hidden && (
          <span>
            <strong>{words.sentTitle}</strong> {words.sentText}{' '}
          </span>
        )}
        {words.whatNext}
      </p>
      <ol>
        <li>
          <strong>{quoteDue ? words.quoteBy + quoteDue : words.quoteWithin}</strong>
          {words.quoteStep}
        </li>
        {words.laterSteps.map(({ when, what }) => (
          <li key={when}>
            <strong>{when}</strong>
            {what}
          </li>
        ))}
      </ol>
      <p>
        {words.questions}
        <a className="whole reach" href={`tel:${brand.phoneLink}`}>
          {brand.phone}
        </a>{' '}
        <OpenOrClosed className="muted small" />
      </p>
    </div>
  )
}
