/**
 * Focuses the title of the open dialog or, if no dialog is open, the heading of the page or, until
 * it has one, all of it.
 */
export function focusHeading(): void {
  const heading = [...document.querySelectorAll<HTMLElement>('main, main h1, dialog[open] h2')].at(-1)
  if (!heading) return
  heading.tabIndex = -1
  heading.focus({ preventScroll: true })
}

/**
 * A ref for an element that may have the focus when it is removed:
 * the focus then moves to the heading.
 */
export const passFocusOn = (element: HTMLElement | null) => () => {
  if (element?.contains(document.activeElement)) focusHeading()
}
