import { type ToggleEvent, useRef, useState } from 'react'
import { brand } from '#shared/business/plans.ts'
import { anchors, pages } from '#shared/pages.ts'
import { ButtonLink } from '../../ui/button-link.tsx'
import { Bob } from '../../ui/mark.tsx'
import styles from './header.module.css'
import { MenuButton } from './menu-button.tsx'
import { useCurrentSection } from './use-current-section.ts'

type Props = { anchorBase: string }

const entries = [
  { id: anchors.services, label: 'Services' },
  { id: anchors.pricing, label: 'Pricing' },
  { id: anchors.portfolio, label: 'Portfolio' },
  { id: anchors.contact, label: 'Contact' },
]
const sectionIds = entries.map(({ id }) => id)
const MENU_ID = 'menu'

export function Header({ anchorBase }: Props) {
  const menuButton = useRef<HTMLButtonElement>(null)
  const [isMenuOpen, setMenuOpen] = useState<boolean>()
  const current = useCurrentSection(sectionIds)
  const onBeforeToggle = ({ newState }: ToggleEvent) => {
    setMenuOpen(newState === 'open')
    // A click outside the menu moves the focus to the body.
    if (newState === 'closed' && document.activeElement === document.body) menuButton.current?.focus()
  }

  return (
    <header className={styles.header} data-print="never">
      <a href="#main" className={styles.skip}>
        Skip to content
      </a>
      <div className={styles.bar}>
        <a href={pages.home} className={styles.brand}>
          <Bob className={styles.bob} />
          {brand.name}
        </a>
        <MenuButton ref={menuButton} menuId={MENU_ID} isOpen={isMenuOpen} setOpen={setMenuOpen} />
        <nav
          id={MENU_ID}
          popover="auto"
          className={styles.menu}
          aria-label="Main"
          onBeforeToggle={onBeforeToggle}
        >
          <ul>
            {entries.map(({ id, label }) => (
              <li key={id}>
                <a href={`${anchorBase}#${id}`} aria-current={id === current || undefined}>
                  {label}
                </a>
              </li>
            ))}
          </ul>
        </nav>
        <div className={styles.action}>
          <ButtonLink href={`${anchorBase}#${anchors.contact}`}>Get Quote</ButtonLink>
        </div>
      </div>
    </header>
  )
}
