import { leaveEmpty } from '#brand/words/form.ts'
import { honeypotField } from '#shared/contact-request.ts'
import styles from './contact-form.module.css'

/** A trap for bots that fill in every field. The label is for text browsers, which show the field. */
export function Honeypot() {
  return (
    <div className={styles.extraField} aria-hidden="true">
      <label htmlFor={honeypotField}>{leaveEmpty}</label>
      <input type="text" id={honeypotField} name={honeypotField} tabIndex={-1} autoComplete="off" />
    </div>
  )
}
