import { useEffect, useState } from 'react'
import { messageCount } from '#brand/words/form.ts'
import styles from './contact-form.module.css'

// The count appears this many characters before the limit.
const SHOWN_BEFORE_LIMIT = 500

type Props = { fieldId: string; maxLength: number }

/** Counts the characters in a field. Listens to the field directly, so that typing rerenders nothing else. */
export function MessageCount({ fieldId, maxLength }: Props) {
  const [length, setLength] = useState(0)

  useEffect(() => {
    const field = document.getElementById(fieldId) as HTMLTextAreaElement
    const count = () => setLength(field.value.length)
    // During the reset event, the field isn't cleared yet.
    const countLater = () => setTimeout(count)
    const controller = new AbortController()
    count()
    field.addEventListener('input', count, controller)
    field.form?.addEventListener('reset', countLater, controller)
    return () => controller.abort()
  }, [fieldId])

  if (length < maxLength - SHOWN_BEFORE_LIMIT) return null
  return <p className={styles.count}>{messageCount(length, maxLength)}</p>
}
