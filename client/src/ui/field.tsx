import type { ReactNode } from 'react'
import { optional } from '#brand/words/form.ts'
import styles from './field.module.css'

type Props = {
  id: string
  label: string
  hint?: string | undefined
  error?: string | undefined
  isHalf?: boolean | undefined
  isOptional?: boolean
  children: ReactNode
  after?: ReactNode
}

const hintId = (id: string) => `${id}-hint`
const errorId = (id: string) => `${id}-error`

/** The frame of a form field: label, hint, control and error. */
export function Field({ id, label, hint, error, isHalf, isOptional, children, after }: Props) {
  const note = [isOptional && optional, hint].filter(Boolean).join(', ')
  return (
    <div className={`${styles.field} ${isHalf ? styles.half : ''}`}>
      <div className={styles.head}>
        <label htmlFor={id}>{label}</label>
        {note && (
          <span id={hintId(id)} className={styles.hint}>
            {note}
          </span>
        )}
      </div>
      {children}
      {after}
      {error && (
        <p id={errorId(id)} className={styles.error}>
          {error}
        </p>
      )}
    </div>
  )
}

type Description = { hasNote?: boolean; error: string | undefined }

/** The ARIA attributes of a field's control. `hasNote`: the field has a hint or is optional. */
export const describeField = (id: string, { hasNote, error }: Description) => ({
  'aria-invalid': error ? true : undefined,
  'aria-describedby': [error && errorId(id), hasNote && hintId(id)].filter(Boolean).join(' ') || undefined,
})
