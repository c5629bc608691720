import { trapField } from '#shared/contact-request.ts'
import styles from './contact-form.module.css'

/** A honeypot for bots that fill in every field. People can't see, hear or focus it; text browsers show the label. */
export function Trap() {
  return (
    <div className={styles.trap} aria-hidden="true">
      <label htmlFor={trapField}>Please leave this empty</label>
      <input type="text" id={trapField} name={trapField} tabIndex={-1} autoComplete="off" />
    </div>
  )
}
