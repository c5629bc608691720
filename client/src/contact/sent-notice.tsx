import { useEffect, useState } from 'react'
import * as words from '#brand/words/outcome.ts'
import { anchors, sentReferenceId } from '#shared/pages.ts'
import styles from './contact-form.module.css'
import type { Phase } from './use-contact-form.ts'

type Props = { phase: Phase }

/** The first element is for visitors without JavaScript: CSS shows it after the redirect to `#sent`. */
export function SentNotice({ phase }: Props) {
  const [isAfterRedirect, setAfterRedirect] = useState(true)
  useEffect(() => setAfterRedirect(location.hash === `#${anchors.sent}`), [])

  return (
    <>
      {isAfterRedirect && phase.name === 'idle' && (
        <div id={anchors.sent} className={`${styles.sent} ${styles.afterRedirect}`}>
          <strong>{words.sentTitle}</strong> {words.sentText}
          {/* The server may have inserted the reference, so hydration can find different HTML. */}
          <span id={sentReferenceId} suppressHydrationWarning>
            {''}
          </span>
        </div>
      )}
      <div role="status">
        {phase.name === 'sending' && phase.isLong && <p className={styles.waiting}>{words.stillSending}</p>}
        {phase.name === 'sent' && (
          <p className={styles.sent}>
            <strong>{words.requestIsIn}</strong>{' '}
            {phase.reference && (
              <>
                {words.beforeReference}
                <span className={styles.reference}>{phase.reference}</span>
                {words.afterReference}
              </>
            )}
            {words.whatNext}
          </p>
        )}
      </div>
    </>
  )
}
