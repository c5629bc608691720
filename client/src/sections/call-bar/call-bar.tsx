import * as words from '#brand/words/header.ts'
import { brand } from '#facts/brand.ts'
import { hours } from '#facts/hours.ts'
import { anchors } from '#shared/pages.ts'
import styles from './call-bar.module.css'

/** Links to the phone number and the form, at the bottom of narrow screens. watch-call-bar.ts shows and hides the bar. */
export function CallBar() {
  return (
    <aside id="call-bar" className={styles.bar} aria-label={words.callBar} data-print="never">
      <a className={styles.call} href={`tel:${brand.phoneLink}`}>
        <strong>
          {words.call} <span className={styles.number}>{brand.phone}</span>
        </strong>
        <span className={styles.hours} data-office-hours="">
          {hours.text}
        </span>
      </a>
      <a className={styles.quote} href={`#${anchors.contact}`}>
        {words.getQuote}
      </a>
    </aside>
  )
}
