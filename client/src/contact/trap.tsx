import { trapField } from '#shared/contact-request.ts'
import styles from './contact-form.module.css'

/** A field for programs that fill in whatever they find. Nobody sees, hears or reaches it; a text browser says it all. */
export function Trap() {
  return (
    <div className={styles.trap} aria-hidden="true">
      <label htmlFor={trapField}>Please leave this empty</label>
      <input type="text" id={trapField} name={trapField} tabIndex={-1} autoComplete="off" />
    </div>
  )
}
