import type { MouseEvent } from 'react'
import { brand } from '#shared/business.ts'
import { Button } from '../ui/button.tsx'
import styles from './contact-form.module.css'
import { copyText } from './copy-text.ts'
import { type FormValues, readValues } from './form-values.ts'
import { notify } from './toasts.tsx'
import { mailtoRequest, writeRequest } from './written-request.ts'

type Props = { detail: string | undefined; values: FormValues }

/** Stays after the toast: what happened, and other ways to reach us, prefilled with the entries. */
export function FailedNotice({ detail, values }: Props) {
  // The current entries: they may have changed since the failure.
  const typed = ({ currentTarget }: MouseEvent<HTMLElement>) => {
    const form = currentTarget.closest('form')
    return form ? readValues(form) : values
  }
  const onCopy = async (event: MouseEvent<HTMLElement>) => {
    notify(
      (await copyText(writeRequest(typed(event))))
        ? 'Your text is copied.'
        : 'Please copy your text by hand.',
    )
  }
  return (
    <div className={styles.failed}>
      <p>
        <strong>Not sent yet.</strong>{' '}
        {detail ?? 'Our server did not answer. Try again, or reach us directly.'} Everything you typed is
        still here.
      </p>
      <ul className={styles.ways}>
        <li>
          <a
            href={mailtoRequest(values)}
            onClick={(event) => event.currentTarget.setAttribute('href', mailtoRequest(typed(event)))}
          >
            Mail it to {brand.email}
          </a>
        </li>
        <li>
          <a href={`tel:${brand.phoneLink}`}>Call {brand.phone}</a>
        </li>
      </ul>
      <Button kind="plain" onClick={onCopy}>
        Copy what I typed
      </Button>
    </div>
  )
}
