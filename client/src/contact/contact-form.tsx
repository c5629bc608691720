import { useRef } from 'react'
import * as words from '#brand/words/form.ts'
import { stillSending } from '#brand/words/outcome.ts'
import { plans } from '#facts/plans.ts'
import { contactFieldNames, contactFields, contactPath, honeypotField } from '#shared/contact-request.ts'
import { pages } from '#shared/pages.ts'
import { Button } from '../ui/button.tsx'
import { ContactFields } from './contact-fields.tsx'
import styles from './contact-form.module.css'
import { FailedNotice } from './failed-notice.tsx'
import type { Errors } from './form-values.ts'
import { SentPanel } from './sent-panel.tsx'
import { useFormDraft } from './use-form-draft.ts'
import { useSending } from './use-sending.ts'

/**
 * The form. It works without JavaScript, too: the server answers with this page and a confirmation.
 */
export function ContactForm() {
  const ref = useRef<HTMLFormElement>(null)
  const { plan, length, typo, clear, ...draft } = useFormDraft(ref)
  const { state, ...sending } = useSending(ref, clear)
  const { errors } = state
  const isSending = state.name === 'sending'
  const isLong = isSending && state.isLong
  return (
    <form
      ref={ref}
      className={`stack box ${styles.form}`}
      method="post"
      action={contactPath}
      aria-label={words.title}
      onFocus={sending.onFocus}
      onInput={(event) => {
        draft.onInput(event)
        sending.onInput(event)
      }}
      onBlur={draft.onBlur}
      onSubmit={sending.onSubmit}
    >
      <SentPanel sent={state.name === 'sent' ? state : undefined} onNext={sending.startNext} />
      {/* The server shows one of these lines for a link to a plan (http/pages.ts). */}
      {plans.map((each) => (
        <p key={each.id} data-plan={each.id} hidden={each.id !== plan} className={styles.plan}>
          <strong>{each.name}</strong>
          {words.planTerms(each)}
          <a className="reach" href="#budget">
            {words.changePlan}
          </a>
        </p>
      ))}
      <ErrorSummary errors={errors} />
      <ContactFields errors={errors} isSending={isSending} plan={plan} length={length} typo={typo} />
      {/* A trap for bots that fill in every field. The label is for text browsers, which show the field. */}
      <div className={styles.extraField} aria-hidden="true">
        <label htmlFor={honeypotField}>{words.leaveEmpty}</label>
        <input type="text" id={honeypotField} name={honeypotField} tabIndex={-1} autoComplete="off" />
      </div>
      <div className={`row ${styles.send}`}>
        <Button type="submit" isWorking={isSending} aria-busy={isSending || undefined}>
          {isSending ? words.sending : words.send}
        </Button>
        {state.name === 'failed' && <FailedNotice {...state} />}
        <p className={`${styles.privacy} muted small`}>
          {words.privacy}{' '}
          <a className="reach" href={pages.privacy}>
            {words.privacyLink}
          </a>
        </p>
      </div>
      <p role="status" className={isLong ? `${styles.waiting} muted` : 'visually-hidden'}>
        {isSending && (isLong ? stillSending : words.sending)}
      </p>
    </form>
  )
}

/**
 * If several fields are invalid, lists a link to each. The form then moves the focus to this list.
 */
function ErrorSummary({ errors }: { errors: Errors }) {
  const fields = contactFieldNames.filter((field) => errors[field])
  if (fields.length < 2) return null
  return (
    <div id="error-summary" tabIndex={-1} className={styles.summary}>
      <p>
        <strong>{words.invalidFields(fields.length)}</strong>
        {words.nothingSent}
      </p>
      <ul className="row">
        {fields.map((field) => (
          <li key={field}>
            <a className="touch" href={`#${field}`}>
              {contactFields[field].label}
            </a>
          </li>
        ))}
      </ul>
    </div>
  )
}
