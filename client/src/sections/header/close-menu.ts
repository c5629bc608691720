/** Only if it is open as a popover: on wide screens, its links are always in the bar. */
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
