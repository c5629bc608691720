import { useEffect, useState } from 'react'
import { type EmailTypo, findEmailTypo } from '#shared/find-email-typo.ts'
import textButton from '../ui/text-button.module.css'
import styles from './contact-form.module.css'

// If the visitor leaves the field with a click, that click must end before the hint shifts the layout.
const HINT_DELAY_MS = 300

type Props = { fieldId: string }

/** Asks about a mistyped address when the visitor leaves the field. Never blocks submitting. */
export function EmailHint({ fieldId }: Props) {
  const [typo, setTypo] = useState<EmailTypo>()
  const findField = () => document.getElementById(fieldId) as HTMLInputElement

  useEffect(() => {
    const field = findField()
    const controller = new AbortController()
    let timer: ReturnType<typeof setTimeout>
    const onEvent = ({ type }: Event) => {
      clearTimeout(timer)
      if (type === 'change') timer = setTimeout(() => setTypo(findEmailTypo(field.value)), HINT_DELAY_MS)
      else setTypo(undefined)
    }
    for (const type of ['change', 'input']) field.addEventListener(type, onEvent, controller)
    field.form?.addEventListener('reset', onEvent, controller)
    return () => controller.abort()
  }, [fieldId])

  const onCorrect = () => {
    const field = findField()
    field.value = typo?.correction ?? ''
    // Saves the draft, and clears this hint and the field's error.
    field.dispatchEvent(new Event('input', { bubbles: true }))
    field.focus()
  }
  return (
    <p className={styles.emailHint} aria-live="polite">
      {typo?.correction ? (
        <button type="button" className={textButton.button} onClick={onCorrect}>
          {typo.question}
        </button>
      ) : (
        typo?.question
      )}
    </p>
  )
}
