import { useEffect, useState } from 'react'
import { doubtEmail, type EmailDoubt } from '#shared/doubt-email.ts'
import textButton from '../ui/text-button.module.css'
import styles from './contact-form.module.css'

// The press that left the field ends before the page moves under it.
const AFTER_PRESS_MS = 300

type Props = { fieldId: string }

/** Asks about an address that looks mistyped, once its field is left; blocks nothing. Listens to the field itself. */
export function EmailHint({ fieldId }: Props) {
  const [doubt, setDoubt] = useState<EmailDoubt>()
  const fieldOf = () => document.getElementById(fieldId) as HTMLInputElement

  useEffect(() => {
    const field = fieldOf()
    const leaving = new AbortController()
    let later: ReturnType<typeof setTimeout>
    const onEvent = ({ type }: Event) => {
      clearTimeout(later)
      if (type === 'change') later = setTimeout(() => setDoubt(doubtEmail(field.value)), AFTER_PRESS_MS)
      else setDoubt(undefined)
    }
    for (const type of ['change', 'input']) field.addEventListener(type, onEvent, leaving)
    field.form?.addEventListener('reset', onEvent, leaving)
    return () => leaving.abort()
  }, [fieldId])

  const onUse = () => {
    const field = fieldOf()
    field.value = doubt?.meant ?? ''
    // As if it had been typed.
    field.dispatchEvent(new Event('input', { bubbles: true }))
    field.focus()
  }
  return (
    <p className={styles.doubt} aria-live="polite">
      {doubt?.meant ? (
        <button type="button" className={textButton.button} onClick={onUse}>
          {doubt.question}
        </button>
      ) : (
        doubt?.question
      )}
    </p>
  )
}
