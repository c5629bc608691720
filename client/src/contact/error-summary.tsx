import type { MouseEvent, Ref } from 'react'
import * as words from '#brand/words/form.ts'
import { contactFields, fieldsInFormOrder } from '#shared/contact-request.ts'
import type { Errors } from './check-form.ts'
import styles from './contact-form.module.css'

type Props = { errors: Errors; ref: Ref<HTMLDivElement> }

/** If several fields are invalid, lists a link to each. The form then moves the focus to this list. */
export function ErrorSummary({ errors, ref }: Props) {
  const fields = fieldsInFormOrder.filter((field) => errors[field])
  const onClick = (event: MouseEvent<HTMLAnchorElement>) => {
    // Following the link would add a history entry.
    event.preventDefault()
    document.getElementById(event.currentTarget.hash.slice(1))?.focus()
  }
  if (fields.length < 2) return null
  return (
    <div ref={ref} tabIndex={-1} className={styles.summary}>
      <p>
        <strong>{words.invalidFields(fields.length)}</strong>
        {words.nothingSent}
      </p>
      <ul>
        {fields.map((field) => (
          <li key={field}>
            <a href={`#${field}`} onClick={onClick}>
              {contactFields[field].label}
            </a>
          </li>
        ))}
      </ul>
    </div>
  )
}
