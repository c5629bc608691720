import { useEffect, useState } from 'react'
import { formatFigure } from '#shared/business.ts'
import styles from './contact-form.module.css'

type Props = { fieldId: string; maxLength: number }

/** Listens to the field itself, so that typing rerenders nothing else. */
export function MessageCount({ fieldId, maxLength }: Props) {
  const [length, setLength] = useState(0)

  useEffect(() => {
    const field = document.getElementById(fieldId) as HTMLTextAreaElement
    const count = () => setLength(field.value.length)
    // The field is cleared only after the reset event.
    const countLater = () => setTimeout(count)
    count()
    field.addEventListener('input', count)
    field.form?.addEventListener('reset', countLater)
    return () => {
      field.removeEventListener('input', count)
      field.form?.removeEventListener('reset', countLater)
    }
  }, [fieldId])

  return (
    <p className={styles.count}>
      {formatFigure(length)} of {formatFigure(maxLength)} characters
    </p>
  )
}
