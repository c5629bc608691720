import * as words from '#brand/words/outcome.ts'
import { brand } from '#facts/brand.ts'
import { locale } from '#shared/computed-facts.ts'
import { contactFieldNames, contactFields } from '#shared/contact-request.ts'
import { toWellFormed } from '#shared/text/invisible-characters.ts'
import { breakable } from '../ui/breakable.tsx'
import { OpenOrClosed } from '../ui/office-hours.tsx'
import styles from './contact-form.module.css'
import type { FormValues } from './form-values.ts'

type Props = { detail: string; values: FormValues; retryAt: Date | undefined }

/**
 * Explains why sending failed, and offers other ways to reach us. The email contains the visitor's
 * entries. The form moves the focus here.
 */
export function FailedNotice({ detail, values, retryAt }: Props) {
  return (
    <div id="not-sent" tabIndex={-1} className={styles.failed}>
      <p>
        <strong>{words.notSent}</strong> {detail}
        {words.entriesKept}
      </p>
      {retryAt && <p>{words.sendsAgainAt(timeOf(retryAt), dayOf(retryAt))}</p>}
      <ul>
        <li>
          <a className="reach" href={mailtoLink(values)}>
            {words.mailInstead}
            <span className={styles.address}>{breakable(brand.email)}</span>
          </a>
        </li>
        <li>
          <a className="reach" href={`tel:${brand.phoneLink}`}>
            {words.callInstead}
          </a>{' '}
          <OpenOrClosed className="small" />
        </li>
      </ul>
    </div>
  )
}

/** "2:14pm", like the office hours. */
const timeOf = (date: Date) =>
  date
    .toLocaleTimeString(locale, { hour: 'numeric', minute: '2-digit' })
    .replace(/\s([AP]M)$/, (_space, half) => half.toLowerCase())

/** "Tuesday"; undefined if that is today. */
const dayOf = (date: Date) =>
  date.toDateString() === new Date().toDateString()
    ? undefined
    : date.toLocaleDateString(locale, { weekday: 'long' })

export function formatEntries(values: FormValues): string {
  const filled = contactFieldNames.filter((field) => values[field].trim())
  return filled.map((field) => `${contactFields[field].label}: ${values[field]}`).join('\n')
}

// Chromium on Windows silently ignores URLs over 2,048 characters. This limit leaves room for
// `CUT`.
const MAX_URL = 1930
const CUT = encodeURIComponent(`\r\n${words.mailCut}`)

/** A `mailto:` link with the entries, cut to a length that works in every browser. */
export function mailtoLink(values: FormValues): string {
  let url = `mailto:${brand.email}?subject=${encodeURIComponent(words.mailSubject)}&body=`
  // Each code point is encoded separately, so that the cut can't split a surrogate pair.
  for (const character of toWellFormed(formatEntries(values).replace(/\n/g, '\r\n'))) {
    const encoded = encodeURIComponent(character)
    if (url.length + encoded.length > MAX_URL) return url + CUT
    url += encoded
  }
  return url
}
