import * as words from '#brand/words/outcome.ts'
import { brand } from '#facts/brand.ts'
import { hours } from '#facts/hours.ts'
import { anchors, quoteDueId, sentReferenceId } from '#shared/pages.ts'
import styles from './sent-panel.module.css'

/**
 * Confirms the request and says what happens next. It is always in the document, but CSS shows it only after sending
 * (without JavaScript, after the redirect to `#sent`). fill-sent-panel.ts or the server inserts the reference.
 */
export function SentPanel() {
  return (
    <div className={styles.panel}>
      <h3 id={anchors.sent} tabIndex={-1} aria-describedby="sent-promise">
        {words.requestIsIn}{' '}
        <span className={styles.reference}>
          {words.beforeReference}
          <span id={sentReferenceId} />
        </span>
      </h3>
      <p id="sent-promise">
        {/* With JavaScript, a toast says this instead. */}
        <span className={styles.withoutToast}>
          <strong>{words.sentTitle}</strong> {words.sentText}{' '}
        </span>
        {words.whatNext}
      </p>
      <ol>
        <li>
          <strong id={quoteDueId}>{words.quoteWithin}</strong>
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
        <a href={`tel:${brand.phoneLink}`}>{brand.phone}</a>{' '}
        <span className={styles.hours} data-office-hours="">
          {hours.text}
        </span>
      </p>
    </div>
  )
}
