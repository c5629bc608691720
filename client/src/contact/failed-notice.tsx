import { type MouseEvent, type Ref, useEffect } from 'react'
import * as words from '#brand/words/outcome.ts'
import { brand } from '#facts/brand.ts'
import { hours } from '#facts/hours.ts'
import { locale } from '#shared/computed-facts.ts'
import { updateOfficeStatus } from '../office/show-office-status.ts'
import { Button } from '../ui/button.tsx'
import styles from './contact-form.module.css'
import { copyText } from './copy-text.ts'
import { type FormValues, readValues } from './form-values.ts'
import { formatEntries, mailtoLink } from './mailto-link.ts'
import { notify } from './toasts.tsx'

type Props = {
  detail: string | undefined
  values: FormValues
  retryAt: Date | undefined
  ref: Ref<HTMLDivElement>
}

/** "2:14pm" like the office hours or, on another day, "Tuesday, 2:14pm". */
const timeOf = (date: Date) =>
  date
    .toLocaleString(locale, {
      ...(date.toDateString() !== new Date().toDateString() && { weekday: 'long' }),
      hour: 'numeric',
      minute: '2-digit',
    })
    .replace(/\s([AP]M)$/, (_space, half) => half.toLowerCase())

/**
 * Explains why sending failed, and offers other ways to reach us. The email and the text to copy contain the visitor's
 * entries. The form moves the focus here.
 */
export function FailedNotice({ detail, values, retryAt, ref }: Props) {
  useEffect(updateOfficeStatus, [])
  // Reads the form again, because the entries may have changed since the failure.
  const currentValues = ({ currentTarget }: MouseEvent<HTMLElement>) => {
    const form = currentTarget.closest('form')
    return form ? readValues(form) : values
  }
  const onCopy = async (event: MouseEvent<HTMLElement>) => {
    const isCopied = await copyText(formatEntries(currentValues(event)))
    notify(isCopied ? words.entriesCopied : words.entriesNotCopied)
  }
  return (
    <div ref={ref} tabIndex={-1} className={styles.failed}>
      <p>
        <strong>{words.notSent}</strong> {detail ?? words.noResponse}
        {words.entriesKept}
      </p>
      {retryAt && <p>{words.sendsAgainAt(timeOf(retryAt))}</p>}
      <ul className={styles.alternatives}>
        <li>
          <a
            href={mailtoLink(values)}
            onClick={(event) => event.currentTarget.setAttribute('href', mailtoLink(currentValues(event)))}
          >
            {words.mailInstead}
          </a>
        </li>
        <li>
          <a href={`tel:${brand.phoneLink}`}>{words.callInstead}</a>{' '}
          <span data-office-hours="">{hours.text}</span>
        </li>
      </ul>
      <Button kind="plain" onClick={onCopy}>
        {words.copyEntries}
      </Button>
    </div>
  )
}
