import * as words from '#brand/words/header.ts'
import { brand } from '#facts/brand.ts'
import { anchors } from '#shared/pages.ts'
import { OpenOrClosed } from '../../ui/office-hours.tsx'
import { useInView } from '../use-in-view.ts'
import styles from './call-bar.module.css'

// Excludes the part of the window that the header covers: --header-height, unless text is large.
const BELOW_HEADER = '-64px 0px 0px'

/**
 * Links to the phone number and the form, at the bottom of narrow screens. Shown while the hero's
 * buttons and the form are out of view. CSS hides it while a field has the focus, so it is never
 * above an on-screen keyboard.
 */
export function CallBar() {
  const inView = useInView('#hero a[href^="#"], form', BELOW_HEADER)
  return (
    <aside
      id="call-bar"
      className={styles.bar}
      aria-label={words.callBar}
      data-print="never"
      data-shown={inView?.length === 0 || undefined}
    >
      <a className={styles.call} href={`tel:${brand.phoneLink}`}>
        <span>
          {words.call} <span className={styles.number}>{brand.phone}</span>
        </span>
        <OpenOrClosed className={styles.hours} />
      </a>
      <a className={styles.quote} href={`#${anchors.contact}`}>
        {words.getQuote}
      </a>
    </aside>
  )
}
