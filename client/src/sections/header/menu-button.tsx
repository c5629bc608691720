import { type Ref, useEffect } from 'react'
import { menu } from '#brand/words/header.ts'
import { closeMenu } from './close-menu.ts'
import styles from './menu-button.module.css'

type Props = { menuId: string; ref: Ref<HTMLButtonElement> }

/**
 * Opens and closes the menu. Because the menu is a popover, the browser also closes it on Escape or a click outside, and tells
 * screen readers whether it is open.
 */
export function MenuButton({ menuId, ref }: Props) {
  useEffect(() => {
    // Must match header.module.css.
    const wide = matchMedia('(min-width: 52rem)')
    wide.addEventListener('change', closeMenu)
    return () => wide.removeEventListener('change', closeMenu)
  }, [])

  return <button ref={ref} type="button" className={styles.toggle} popoverTarget={menuId} aria-label={menu} />
}
