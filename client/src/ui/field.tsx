import type { ComponentProps, ReactNode } from 'react'
import styles from './field.module.css'

type Props = {
  id: string
  label: string
  hint?: string | undefined
  error?: string | undefined
  children?: ReactNode
}

/** The id of a field's hint. */
export const hintId = (id: string) => `${id}-hint`
const errorId = (id: string) => `${id}-error`

/** The frame of a form field: label, hint, control and error. */
export function Field({ id, label, hint, error, children }: Props) {
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
      {error && (
        <p id={errorId(id)} className={styles.error}>
          {error}
        </p>
      )}
    </div>
  )
}

/** The ARIA attributes of a field's control. `notes`: the ids of its descriptions besides the error. */
export const describeField = (id: string, error: string | undefined, notes: string | undefined) => ({
  'aria-invalid': error ? true : undefined,
  'aria-describedby': [error && errorId(id), notes].filter(Boolean).join(' ') || undefined,
})

type TextProps = Props & ComponentProps<'input'> & { notes?: string | undefined }

/**
 * A field with one line of text. `children` are below it. `notes`: see `describeField`; by default,
 * the hint.
 */
export function TextField({ children, notes, ...field }: TextProps) {
  const { id, label, hint, error, ...input } = field
  return (
    <Field id={id} label={label} hint={hint} error={error}>
      <input id={id} {...describeField(id, error, notes ?? (hint && hintId(id)))} {...input} />
      {children}
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
