/** Focuses the title of the open sheet or, without one, the heading of the page. */
export function focusHeading(): void {
  const heading = [...document.querySelectorAll<HTMLElement>('main h1, dialog[open] h2')].at(-1)
  if (!heading) return
  heading.tabIndex = -1
  heading.focus({ preventScroll: true })
}

/** A ref for an element that may have the focus when it is removed. The heading gets it then. */
export const passFocusOn = (element: HTMLElement | null) => () => {
  if (element?.contains(document.activeElement)) focusHeading()
}
