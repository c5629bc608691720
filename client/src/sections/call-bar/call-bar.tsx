import { useEffect, useState } from 'react'
import * as words from '#brand/words/header.ts'
import { brand } from '#facts/brand.ts'
import { anchors } from '#shared/pages.ts'
import { OfficeHours } from '../../ui/office-hours.tsx'
import styles from './call-bar.module.css'

// Excludes the part of the window that the header covers. The 64 px must match --header-height.
const BELOW_HEADER = '-64px 0px 0px'
// While an on-screen keyboard is open, less than this share of the window's height stays visible.
const KEYBOARD_LEAVES = 0.8

/**
 * Links to the phone number and the form, at the bottom of narrow screens. Shown while the hero's buttons and the form are out
 * of view and the on-screen keyboard is closed.
 */
export function CallBar() {
  const [isShown, setShown] = useState(false)
  useEffect(() => {
    const inView = new Set<Element>()
    const update = () => {
      const { height = innerHeight, scale = 1 } = visualViewport ?? {}
      setShown(inView.size === 0 && height * scale >= innerHeight * KEYBOARD_LEAVES)
    }
    const observer = new IntersectionObserver(
      (changes) => {
        for (const { isIntersecting, target } of changes) inView[isIntersecting ? 'add' : 'delete'](target)
        update()
      },
      { rootMargin: BELOW_HEADER },
    )
    for (const element of document.querySelectorAll('#hero a[href^="#"], form')) observer.observe(element)
    visualViewport?.addEventListener('resize', update)
    return () => {
      observer.disconnect()
      visualViewport?.removeEventListener('resize', update)
    }
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
