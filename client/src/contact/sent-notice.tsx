import { useEffect, useState } from 'react'
import { sentText, sentTitle } from '#brand/words/outcome.ts'
import { promises } from '#shared/business/plans.ts'
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
          <strong>{sentTitle}</strong> {sentText}
          {/* The server may have inserted the reference, so hydration can find different HTML. */}
          <span id={sentReferenceId} suppressHydrationWarning>
            {''}
          </span>
        </div>
      )}
      <div role="status">
        {phase.name === 'sending' && phase.isLong && (
          <p className={styles.waiting}>
            Still trying. Your connection or our server is slow; please keep this page open.
          </p>
        )}
        {phase.name === 'sent' && (
          <p className={styles.sent}>
            <strong>Your request is in.</strong>{' '}
            {phase.reference && (
              <>
                Its reference is <span className={styles.reference}>{phase.reference}</span>.{' '}
              </>
            )}
            Expect our quote within {promises.quote}.
          </p>
        )}
      </div>
    </>
  )
}
