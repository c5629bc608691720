import * as words from '#brand/words/form.ts'
import { contactPath } from '#shared/contact-request.ts'
import { Button } from '../ui/button.tsx'
import { ContactFields } from './contact-fields.tsx'
import styles from './contact-form.module.css'
import { ErrorSummary } from './error-summary.tsx'
import { FailedNotice } from './failed-notice.tsx'
import { Honeypot } from './honeypot.tsx'
import { SentNotice } from './sent-notice.tsx'
import { useContactForm } from './use-contact-form.ts'

export function ContactForm() {
  const { form, summary, outcome, phase, errors, onSubmit, onFocus, onInput, onBlur } = useContactForm()
  const isSending = phase.name === 'sending'
  return (
    <form
      ref={form}
      className={styles.form}
      method="post"
      action={contactPath}
      aria-labelledby="contact-form-heading"
      onSubmit={onSubmit}
      onFocus={onFocus}
      onInput={onInput}
      onBlur={onBlur}
    >
      <h3 id="contact-form-heading">{words.title}</h3>
      <ErrorSummary ref={summary} errors={errors} />
      <ContactFields errors={errors} isSending={isSending} />
      <Honeypot />
      <div className={styles.send}>
        <Button type="submit" disabled={isSending} aria-busy={isSending || undefined}>
          {isSending ? words.sending : words.send}
        </Button>
        <p className={styles.privacy}>{words.privacy}</p>
      </div>
      <div ref={outcome} tabIndex={-1} className={styles.outcome}>
        {phase.name === 'failed' && <FailedNotice detail={phase.detail} values={phase.values} />}
        <SentNotice phase={phase} />
      </div>
    </form>
  )
}
