import { useEffect, useState } from 'react'
import * as words from '#brand/words/outcome.ts'
import { brand } from '#facts/brand.ts'
import { anchors, pages, sentPanelId, sentReferenceId } from '#shared/pages.ts'
import { breakable } from '../ui/breakable.tsx'
import { ButtonLink } from '../ui/button.tsx'
import { keepTogether } from '../ui/keep-together.tsx'
import { OpenOrClosed } from '../ui/office-hours.tsx'
import styles from './contact-form.module.css'

/** `receivedAt`: in ISO format; undefined if the time isn't known. */
export type Sent = { email?: string; reference?: string | undefined; receivedAt?: string | undefined }

/** `isNextStarted`: whether the form is below, for another request. `onNext` shows it. */
type Props = { sent: { last: Sent; isNextStarted: boolean } | undefined; onNext: () => void }

/**
 * Confirms the request in the form's place, and says what happens next. It is always in the
 * document: after a request without JavaScript, the server shows it and inserts the reference
 * (http/pages.ts).
 */
export function SentPanel({ sent, onNext }: Props) {
  const { email, reference = '', receivedAt } = sent?.last ?? {}
  const [quoteDue, setQuoteDue] = useState('')
  useEffect(() => {
    setQuoteDue('')
    // The office's calendar is loaded only now.
    if (receivedAt)
      import('./quote-due.ts').then(
        ({ quoteDueInWords }) => setQuoteDue(quoteDueInWords(new Date(receivedAt))),
        () => {},
      )
  }, [receivedAt])
  return (
    <div
      id={sentPanelId}
      hidden={!sent}
      className={styles.panel}
      data-alone={sent?.isNextStarted ? undefined : ''}
    >
      <h3
        id={anchors.sent}
        tabIndex={-1}
        aria-labelledby={`${anchors.sent} sent-first`}
        aria-describedby="sent-steps"
      >
        {words.requestIsIn}
      </h3>
      {/* With JavaScript, a toast says this instead. */}
      {!sent && (
        <p>
          <strong>{words.sentTitle}</strong> {words.sentText}
        </p>
      )}
      <ol id="sent-steps" className={styles.steps}>
        <li id="sent-first">
          {words.beforeReference}
          <strong className="whole">
            <span id={sentReferenceId} suppressHydrationWarning>
              {reference}
            </span>
          </strong>
          {email && (
            <p>
              {words.quoteGoesTo}
              <span className={styles.address}>{breakable(`${email}.`)}</span>
            </p>
          )}
        </li>
        <li>
          <strong>
            {/* In an element: a translator may have replaced its texts. */}
            {quoteDue ? <span>{keepTogether(words.quoteBy + quoteDue)}</span> : words.quoteNext}
          </strong>
          {words.quoteStep}
        </li>
        {words.laterSteps.map(({ when, what }) => (
          <li key={when}>
            <strong>{when}</strong>
            {keepTogether(what)}
          </li>
        ))}
      </ol>
      <p>
        {words.questions}
        <a className="whole reach" href={`tel:${brand.phoneLink}`}>
          {brand.phone}
        </a>{' '}
        <OpenOrClosed className="small" />
      </p>
      {!sent?.isNextStarted && (
        <ButtonLink
          kind="plain"
          href={`${pages.home}#${anchors.contact}`}
          data-print="never"
          onClick={(event) => {
            // Without the state, the link opens the page again.
            if (!sent) return
            event.preventDefault()
            onNext()
          }}
        >
          {words.another}
        </ButtonLink>
      )}
    </div>
  )
}
