/** Only if it is open as a popover: on wide screens, the entries are always in the bar. */
export const closeMenu = () => document.querySelector<HTMLElement>('nav:popover-open')?.hidePopover()
