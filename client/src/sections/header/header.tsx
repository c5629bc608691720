import { type ToggleEvent, useEffect } from 'react'
import * as words from '#brand/words/header.ts'
import { brand } from '#facts/brand.ts'
import { anchors, hasSamples, pages } from '#shared/pages.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { Mark } from '../../ui/mark.tsx'
import { OpenOrClosed } from '../../ui/office-hours.tsx'
import { closePopover } from '../../ui/popovers.ts'
import { useInView } from '../use-in-view.ts'
import styles from './header.module.css'

const sections = (['services', 'pricing', 'portfolio', 'contact'] as const).filter(
  (name) => hasSamples || name !== 'portfolio',
)
const MENU_ID = 'menu'
const sectionSelector = sections.map((name) => `#${anchors[name]}`).join()
// The visitor is reading the section that crosses a line just above the middle of the window.
const READING_LINE = '-45% 0px -54% 0px'

/** `anchorBase`: the path of the page with the sections; empty if this is that page. */
export function Header({ anchorBase }: { anchorBase: string }) {
  const [current] = useInView(sectionSelector, READING_LINE) ?? []
  useEffect(() => {
    const controller = new AbortController()
    const onClick = ({ target }: Event) => (target as Element).closest('header a') && closeMenu()
    const onFocus = ({ target }: Event) => (target as Element).closest('header') || closeMenu()
    document.addEventListener('click', onClick, controller)
    document.addEventListener('focusin', onFocus, controller)
    // Must match header.module.css.
    matchMedia('(min-width: 52rem)').addEventListener('change', closeMenu, controller)
    return () => controller.abort()
  }, [])

  return (
    <header className={styles.header} data-print="never">
      <a href="#main" className={styles.skip}>
        {words.skip}
      </a>
      <div className={`row ${styles.bar} page`}>
        <a href={pages.home} className={styles.home}>
          <Mark />
          {brand.name}
        </a>
        {/* The browser opens and closes the popover, also on Escape, and tells screen readers whether it is open. */}
        <button type="button" className={styles.toggle} popoverTarget={MENU_ID} aria-label={words.menu} />
        <nav
          id={MENU_ID}
          popover="auto"
          className={styles.menu}
          aria-label={words.navigation}
          onBeforeToggle={returnFocus}
        >
          <ul className="page">
            {sections.map((name) => (
              <li key={name}>
                <a
                  href={`${anchorBase}#${anchors[name]}`}
                  aria-current={anchors[name] === current?.id || undefined}
                >
                  {words.entries[name]}
                </a>
              </li>
            ))}
            <li className={styles.phone}>
              <a href={`tel:${brand.phoneLink}`}>
                {brand.phone}
                <OpenOrClosed />
              </a>
            </li>
          </ul>
        </nav>
        <div className={styles.action}>
          <ButtonLink href={`${anchorBase}#${anchors.contact}`}>{words.getQuote}</ButtonLink>
        </div>
      </div>
    </header>
  )
}

/** Closes the menu. Does nothing on wide screens, where the links are always visible. */
function closeMenu() {
  const menu = document.getElementById(MENU_ID)
  if (menu) closePopover(menu)
}

/** Moves the focus back to the button if a click outside of the menu has closed it. */
function returnFocus({ newState, currentTarget }: ToggleEvent<HTMLElement>) {
  const button = currentTarget.previousElementSibling as HTMLElement
  if (newState === 'closed' && document.activeElement === document.body) button.focus()
}

/** The agency's name and how to reach it. Shown only in print, where the header is hidden. */
export const Letterhead = () => (
  <p className="brand page" data-print="only">
    <Mark />
    {[brand.name, brand.phone, brand.email].join('\u2003')}
  </p>
)
