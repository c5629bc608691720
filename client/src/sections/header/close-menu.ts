/** Closes the menu. Does nothing on wide screens, where the links are always visible. */
export const closeMenu = () => document.querySelector<HTMLElement>('nav:popover-open')?.hidePopover()

/** Closes the menu when a link in the header is clicked or the focus leaves the header. */
export function closeMenuAutomatically() {
  document.addEventListener('click', ({ target }) => {
    if ((target as Element).closest('header a')) closeMenu()
  })
  document.addEventListener('focusin', ({ target }) => {
    if (!(target as Element).closest('header')) closeMenu()
  })
}
