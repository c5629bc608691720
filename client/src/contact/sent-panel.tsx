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

/**
 * `isNextStarted`: whether the form is below, for another request. `onNext` shows it; without this,
 * the link opens the page again.
 */
type Props = Sent & { hidden: boolean; isNextStarted: boolean; onNext: (() => void) | undefined }

/**
 * Confirms the request in the form's place, and says what happens next. It is always in the
 * document: after a request without JavaScript, the server shows it and inserts the reference
 * (http/pages.ts).
 */
export function SentPanel({ hidden, isNextStarted, onNext, email, reference = '', receivedAt }: Props) {
  const [quoteDue, setQuoteDue] = useState('')
  useEffect(() => {
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
      hidden={hidden}
      className={styles.panel}
      data-alone={isNextStarted ? undefined : ''}
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
      {hidden && (
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
          <strong>{quoteDue ? keepTogether(words.quoteBy + quoteDue) : words.quoteNext}</strong>
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
        <OpenOrClosed className="muted small" />
      </p>
      {!isNextStarted && (
        <ButtonLink
          kind="plain"
          href={`${pages.home}#${anchors.contact}`}
          data-print="never"
          onClick={(event) => {
            if (!onNext) return
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
