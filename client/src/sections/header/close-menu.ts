import { closePopover } from '../../ui/popovers.ts'

/** Closes the menu. Does nothing on wide screens, where the links are always visible. */
export function closeMenu() {
  const menu = document.querySelector<HTMLElement>('nav[popover]')
  if (menu) closePopover(menu)
}

/** Closes the menu when a link in the header is clicked or the focus leaves the header. */
export function closeMenuAutomatically() {
  document.addEventListener('click', ({ target }) => {
    if ((target as Element).closest('header a')) closeMenu()
  })
  document.addEventListener('focusin', ({ target }) => {
    if (!(target as Element).closest('header')) closeMenu()
  })
}
