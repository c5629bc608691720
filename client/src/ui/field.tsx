import type { ComponentProps, ElementType, ReactNode } from 'react'
import styles from './field.module.css'

type Props = {
  id: string
  label: string
  hint?: string | undefined
  error?: string | undefined
  /** Whether a list says the error, too, or it changes while somebody types: it isn't announced. */
  isQuiet?: boolean | undefined
  children?: ReactNode
}

const hintId = (id: string) => `${id}-hint`
const errorId = (id: string) => `${id}-error`

/** The frame of a form field: label, hint, control and error. */
export function Field({ id, label, hint, error, isQuiet, children }: Props) {
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
        <p id={errorId(id)} className={styles.error} role={isQuiet ? undefined : 'alert'}>
          {error}
        </p>
      )}
    </div>
  )
}

type TextProps<Control extends ElementType> = Props &
  Omit<ComponentProps<Control>, keyof Props> & { as?: Control; notes?: string | undefined }

/**
 * A field with text: one line, or with `as`, such as `textarea`, several. `children` are below it.
 * `notes`: the ids of its descriptions besides the error; by default, the hint.
 */
export function TextField<Control extends ElementType = 'input'>(field: TextProps<Control>) {
  const { as, id, label, hint, error, isQuiet, notes, children, ...control } = field
  const Control: ElementType = as ?? 'input'
  const described = [error && errorId(id), notes ?? (hint && hintId(id))].filter(Boolean).join(' ')
  return (
    <Field id={id} label={label} hint={hint} error={error} isQuiet={isQuiet}>
      <Control
        id={id}
        aria-invalid={error ? true : undefined}
        aria-describedby={described || undefined}
        {...control}
      />
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
