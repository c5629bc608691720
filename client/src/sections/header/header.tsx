import { type ToggleEvent, useEffect, useRef } from 'react'
import * as words from '#brand/words/header.ts'
import { brand } from '#facts/brand.ts'
import { hours } from '#facts/hours.ts'
import { anchors, pages } from '#shared/pages.ts'
import { showOfficeStatus } from '../../office/show-office-status.ts'
import { ButtonLink } from '../../ui/button-link.tsx'
import { Mark } from '../../ui/mark.tsx'
import styles from './header.module.css'
import { MenuButton } from './menu-button.tsx'
import { useCurrentSection } from './use-current-section.ts'

type Props = { anchorBase: string }

const sections = ['services', 'pricing', 'portfolio', 'contact'] as const
const sectionIds = sections.map((name) => anchors[name])
const MENU_ID = 'menu'

export function Header({ anchorBase }: Props) {
  const menuButton = useRef<HTMLButtonElement>(null)
  const current = useCurrentSection(sectionIds)
  useEffect(showOfficeStatus, [])
  // Returns the focus to the button, because a click outside the menu has moved it to the body.
  const onBeforeToggle = ({ newState }: ToggleEvent) => {
    if (newState === 'closed' && document.activeElement === document.body) menuButton.current?.focus()
  }

  return (
    <header className={styles.header} data-print="never">
      <a href="#main" className={styles.skip}>
        {words.skip}
      </a>
      <div className={styles.bar}>
        <a href={pages.home} className={styles.brand}>
          <Mark className={styles.bob} />
          {brand.name}
        </a>
        <MenuButton ref={menuButton} menuId={MENU_ID} />
        <nav
          id={MENU_ID}
          popover="auto"
          className={styles.menu}
          aria-label={words.navigation}
          onBeforeToggle={onBeforeToggle}
        >
          <ul>
            {sections.map((name) => (
              <li key={name}>
                <a
                  href={`${anchorBase}#${anchors[name]}`}
                  aria-current={anchors[name] === current || undefined}
                >
                  {words.entries[name]}
                </a>
              </li>
            ))}
            <li className={styles.phone}>
              <a href={`tel:${brand.phoneLink}`}>
                {brand.phone}
                <span data-office-hours="">{hours.text}</span>
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
