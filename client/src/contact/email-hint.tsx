import { useEffect, useState } from 'react'
import { type EmailQuestion, questionEmail } from '#shared/question-email.ts'
import textButton from '../ui/text-button.module.css'
import styles from './contact-form.module.css'

// Lets the click that left the field finish before the layout moves.
const AFTER_PRESS_MS = 300

type Props = { fieldId: string }

/** After the visitor leaves the field, asks about an address that looks mistyped. Never blocks. */
export function EmailHint({ fieldId }: Props) {
  const [doubt, setDoubt] = useState<EmailQuestion>()
  const fieldOf = () => document.getElementById(fieldId) as HTMLInputElement

  useEffect(() => {
    const field = fieldOf()
    const leaving = new AbortController()
    let later: ReturnType<typeof setTimeout>
    const onEvent = ({ type }: Event) => {
      clearTimeout(later)
      if (type === 'change') later = setTimeout(() => setDoubt(questionEmail(field.value)), AFTER_PRESS_MS)
      else setDoubt(undefined)
    }
    for (const type of ['change', 'input']) field.addEventListener(type, onEvent, leaving)
    field.form?.addEventListener('reset', onEvent, leaving)
    return () => leaving.abort()
  }, [fieldId])

  const onUse = () => {
    const field = fieldOf()
    field.value = doubt?.meant ?? ''
    // Notifies React and the draft.
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
