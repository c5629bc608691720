import type { ComponentProps, ReactNode } from 'react'
import styles from './field.module.css'

type Props = {
  id: string
  label: string
  hint?: string | undefined
  error?: string | undefined
  children: ReactNode
  after?: ReactNode
}

const hintId = (id: string) => `${id}-hint`
const errorId = (id: string) => `${id}-error`

/** The frame of a form field: label, hint, control and error. */
export function Field({ id, label, hint, error, children, after }: Props) {
  return (
    <div className={styles.field}>
      <div className={`row ${styles.head}`}>
        <label htmlFor={id}>{label}</label>
        {hint && (
          <span id={hintId(id)} className="muted small">
            {hint}
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

type Description = { hasNote?: boolean; notes?: string | undefined; error: string | undefined }

/**
 * The ARIA attributes of a field's control. `hasNote`: the field has a hint. `notes`: the ids of
 * other descriptions.
 */
export const describeField = (id: string, { hasNote, notes, error }: Description) => ({
  'aria-invalid': error ? true : undefined,
  'aria-describedby':
    [error && errorId(id), hasNote && hintId(id), notes].filter(Boolean).join(' ') || undefined,
})

type TextProps = Omit<Props, 'children'> & ComponentProps<'input'> & { notes?: string | undefined }

/** A field with one line of text. `notes`: see `describeField`. */
export function TextField({ id, label, hint, error, after, notes, ...input }: TextProps) {
  return (
    <Field id={id} label={label} hint={hint} error={error} after={after}>
      <input id={id} {...describeField(id, { hasNote: hint !== undefined, notes, error })} {...input} />
    </Field>
  )
}

/** A select with our own arrow. */
export function Select(select: ComponentProps<'select'>) {
  return (
    <div className={styles.select}>
      <select {...select} />
      <svg viewBox="0 0 12 8" width="12" height="8" aria-hidden="true">
        <path d="M1 1.5 6 6.5 11 1.5" fill="none" stroke="currentColor" strokeWidth="2" />
      </svg>
    </div>
  )
}
