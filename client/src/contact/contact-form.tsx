import * as words from '#brand/words/form.ts'
import { stillSending } from '#brand/words/outcome.ts'
import { contactPath } from '#shared/contact-request.ts'
import { announcementId, pages } from '#shared/pages.ts'
import { Button } from '../ui/button.tsx'
import { Prerendered, rendersAll } from '../ui/prerendered.tsx'
import { ChosenPlan } from './chosen-plan.tsx'
import { ContactFields } from './contact-fields.tsx'
import styles from './contact-form.module.css'
import { ErrorSummary } from './error-summary.tsx'
import { FailedNotice } from './failed-notice.tsx'
import { Honeypot } from './honeypot.tsx'
import { SentPanel } from './sent-panel.tsx'
import { useContactForm } from './use-contact-form.ts'

export function ContactForm() {
  const { form, summary, failure, phase, errors, onSubmit, onFocus, onInput, onBlur } = useContactForm()
  const isSending = phase.name === 'sending'
  const isQuiet = phase.name === 'sent' && !phase.isNextStarted
  return (
    <form
      ref={form}
      className={styles.form}
      data-phase={phase.name}
      method="post"
      action={contactPath}
      aria-labelledby="contact-form-heading"
      onSubmit={onSubmit}
      onFocus={onFocus}
      onInput={onInput}
      onBlur={onBlur}
    >
      <Prerendered id="sent-part">{rendersAll && <SentPanel />}</Prerendered>
      <h3 id="contact-form-heading">{words.title}</h3>
      <Prerendered id="plan-part">{rendersAll && <ChosenPlan />}</Prerendered>
      <ErrorSummary ref={summary} errors={errors} />
      <ContactFields errors={errors} isSending={isSending} />
      <Honeypot />
      <div className={styles.send}>
        <Button
          // early-submit.ts may have changed the text.
          suppressHydrationWarning
          data-sending={words.sending}
          kind={isQuiet ? 'plain' : 'primary'}
          type="submit"
          disabled={isSending}
          aria-busy={isSending || undefined}
        >
          {isSending ? words.sending : words.send}
        </Button>
        <p className={styles.privacy}>
          {words.privacy} <a href={pages.privacy}>{words.privacyLink}</a>
        </p>
      </div>
      {phase.name === 'failed' && <FailedNotice ref={failure} {...phase} />}
      <Prerendered id="announcement-part">
        {rendersAll && <p id={announcementId} role="status" className={styles.announcement} />}
      </Prerendered>
      <div role="status" className={styles.status}>
        {phase.name === 'sending' && phase.isLong && <p className={styles.waiting}>{stillSending}</p>}
      </div>
    </form>
  )
}
