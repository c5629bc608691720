import type { MouseEvent } from 'react'
import { brand } from '#shared/business.ts'
import { Button } from '../ui/button.tsx'
import styles from './contact-form.module.css'
import { copyText } from './copy-text.ts'
import { type FormValues, readValues } from './form-values.ts'
import { formatEntries, mailtoLink } from './mailto-link.ts'
import { notify } from './toasts.tsx'

type Props = { detail: string | undefined; values: FormValues }

/** Explains the failure and offers other ways to reach us, prefilled with the entries. */
export function FailedNotice({ detail, values }: Props) {
  // The entries may have changed since the failure.
  const currentValues = ({ currentTarget }: MouseEvent<HTMLElement>) => {
    const form = currentTarget.closest('form')
    return form ? readValues(form) : values
  }
  const onCopy = async (event: MouseEvent<HTMLElement>) => {
    const isCopied = await copyText(formatEntries(currentValues(event)))
    notify(isCopied ? 'Your text has been copied.' : 'Please copy your text by hand.')
  }
  return (
    <div className={styles.failed}>
      <p>
        <strong>Not sent yet.</strong>{' '}
        {detail ?? 'Our server did not respond. Try again, or reach us directly.'} Everything you typed is
        still here.
      </p>
      <ul className={styles.alternatives}>
        <li>
          <a
            href={mailtoLink(values)}
            onClick={(event) => event.currentTarget.setAttribute('href', mailtoLink(currentValues(event)))}
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
