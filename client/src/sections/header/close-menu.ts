/** Closes the menu if it is open as one: on a wide screen its entries always stand in the bar. */
export const closeMenu = () => document.querySelector<HTMLElement>('nav:popover-open')?.hidePopover()
