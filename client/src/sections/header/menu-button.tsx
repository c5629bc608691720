import { type Ref, useEffect } from 'react'
import { menu } from '#brand/words/header.ts'
import { isPopoverOpen } from '../../ui/popovers.ts'
import { closeMenu } from './close-menu.ts'
import styles from './menu-button.module.css'

type Props = {
  menuId: string
  isOpen: boolean | undefined
  setOpen: (isOpen: boolean) => void
  ref: Ref<HTMLButtonElement>
}

/** Opens and closes the menu. Because the menu is a popover, the browser also closes it on Escape or a click outside. */
export function MenuButton({ menuId, isOpen, setOpen, ref }: Props) {
  // The menu may have been opened before the script ran.
  useEffect(() => {
    const menu = document.getElementById(menuId)
    setOpen(menu !== null && isPopoverOpen(menu))
  }, [menuId, setOpen])

  useEffect(() => {
    // Must match header.module.css.
    const wide = matchMedia('(min-width: 52rem)')
    wide.addEventListener('change', closeMenu)
    return () => wide.removeEventListener('change', closeMenu)
  }, [])

  return (
    <button
      ref={ref}
      type="button"
      className={styles.toggle}
      popoverTarget={menuId}
      aria-label={menu}
      aria-expanded={isOpen}
    />
  )
}
