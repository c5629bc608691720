import { useEffect, useState } from 'react'
import * as words from '#brand/words/header.ts'
import { brand } from '#facts/brand.ts'
import { anchors } from '#shared/pages.ts'
import { OfficeHours } from '../../ui/office-hours.tsx'
import styles from './call-bar.module.css'

// Excludes the part of the window that the header covers. The 64 px must match --header-height.
const BELOW_HEADER = '-64px 0px 0px'

/**
 * Links to the phone number and the form, at the bottom of narrow screens. Shown while the hero's buttons and the form are out
 * of view. CSS hides it while a field has the focus, so it is never above an on-screen keyboard.
 */
export function CallBar() {
  const [isShown, setShown] = useState(false)
  useEffect(() => {
    const inView = new Set<Element>()
    const observer = new IntersectionObserver(
      (changes) => {
        for (const { isIntersecting, target } of changes) inView[isIntersecting ? 'add' : 'delete'](target)
        setShown(inView.size === 0)
      },
      { rootMargin: BELOW_HEADER },
    )
    for (const element of document.querySelectorAll('#hero a[href^="#"], form')) observer.observe(element)
    return () => observer.disconnect()
  }, [])

  return (
    <aside
      id="call-bar"
      className={styles.bar}
      aria-label={words.callBar}
      data-print="never"
      data-shown={isShown || undefined}
    >
      <a className={styles.call} href={`tel:${brand.phoneLink}`}>
        <strong>
          {words.call} <span className={styles.number}>{brand.phone}</span>
        </strong>
        <OfficeHours className={`${styles.hours} muted`} />
      </a>
      <a className={styles.quote} href={`#${anchors.contact}`}>
        {words.getQuote}
      </a>
    </aside>
  )
}
