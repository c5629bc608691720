/*
 * Safari before 17, Firefox before 125 and Chrome before 114 lack the Popover API. There,
 * `imitatePopovers` marks an open popover with `data-open`, and base.css hides the others.
 */
const isSupported = () => 'popover' in HTMLElement.prototype
const openMark = 'data-open'

export const isPopoverOpen = (popover: Element): boolean =>
  isSupported() ? popover.matches(':popover-open') : popover.hasAttribute(openMark)

/** Whether a dialog or a popover covers the page. */
export const isCovered = (): boolean =>
  document.querySelector('dialog[open]') !== null ||
  [...document.querySelectorAll('[popover]')].some(isPopoverOpen)

export function closePopover(popover: HTMLElement): void {
  if (!isPopoverOpen(popover)) return
  if (isSupported()) popover.hidePopover()
  else mark(popover, false)
}

/**
 * If the browser lacks popovers: a click on a popover's button toggles it; any other click and
 * Escape close it.
 */
export function imitatePopovers(): void {
  if (isSupported()) return
  document.addEventListener('click', ({ target }) => {
    const pressed = (target as Element).closest('[popovertarget]')?.getAttribute('popovertarget')
    const popover = pressed ? document.getElementById(pressed) : null
    openOnly(popover && !isPopoverOpen(popover) ? popover : null)
  })
  document.addEventListener('keydown', ({ key }) => {
    if (key === 'Escape') openOnly(null)
  })
}

function openOnly(popover: Element | null) {
  for (const other of document.querySelectorAll('[popover]')) mark(other, other === popover)
}

function mark(popover: Element, isOpen: boolean) {
  popover.toggleAttribute(openMark, isOpen)
  const button = document.querySelector(`[popovertarget="${popover.id}"]`)
  button?.setAttribute('aria-expanded', String(isOpen))
}
