// These functions run in the page, so they can use only their arguments and the page's globals.

/** Finds the element of a target. */
export function findElement(css: string, text: string): HTMLElement | null {
  const textOf = (element: HTMLElement) => {
    const labels = (element as HTMLInputElement).labels ?? []
    const label = [...labels].map(({ textContent }) => textContent).join(' ')
    return element.getAttribute('aria-label') ?? (label || element.innerText)
  }
  const isWanted = (element: HTMLElement) =>
    element.checkVisibility({ visibilityProperty: true }) && textOf(element).includes(text)
  return [...document.querySelectorAll<HTMLElement>(css)].find(isWanted) ?? null
}

/** Scrolls an element into view and returns its center. `coveredBy` is what a click there would hit instead, if anything. */
export function aimAt(element: HTMLElement): { x: number; y: number; coveredBy?: string } {
  element.scrollIntoView({ block: 'center', behavior: 'instant' })
  const { left, top, width, height } = element.getBoundingClientRect()
  const center = { x: left + width / 2, y: top + height / 2 }
  const hit = document.elementFromPoint(center.x, center.y)
  const isHit = hit !== null && (element.contains(hit) || hit.contains(element))
  return isHit ? center : { ...center, coveredBy: hit?.outerHTML.slice(0, 80) ?? 'nothing' }
}

export const readText = (): string => document.body.innerText

/** The names and values of the form's fields. */
export const readForm = (): Record<string, string> =>
  Object.fromEntries(
    [...document.querySelectorAll<HTMLInputElement>('main form :is(input, select, textarea)')]
      .filter(({ name }) => name)
      .map(({ name, value }) => [name, value]),
  )

/** By how many pixels the page is wider than the window. */
export const overflow = (): number =>
  document.documentElement.scrollWidth - document.documentElement.clientWidth

/** The distance from the top of the window to an element, in pixels. */
export const topOf = (css: string): number =>
  document.querySelector(css)?.getBoundingClientRect().top ?? Number.NaN

export const jumpTo = (y: number): void => window.scrollTo({ top: y, behavior: 'instant' })

/** The scroll position at which the element is at the top of the window. */
export const offsetOf = (css: string): number =>
  scrollY + (document.querySelector(css)?.getBoundingClientRect().top ?? 0)

/**
 * The plumb line's angle in degrees, or null if there is no plumb line. Finds the line by the weight at its end, which is
 * drawn like the logo, but outside the header, the footer and links.
 */
export function plumbAngle(): number | null {
  const shapeOf = (svg: Element | null | undefined) => svg?.querySelector('path')?.getAttribute('d')
  const logo = shapeOf(document.querySelector('header a svg'))
  const isBob = (svg: Element) => shapeOf(svg) === logo && !svg.closest('header, footer, a')
  const bob = [...document.querySelectorAll('[aria-hidden=true] svg')].find(isBob)
  if (!bob) return null
  let degrees = 0
  for (let element: Element | null = bob; element; element = element.parentElement) {
    const { rotate, transform } = getComputedStyle(element)
    const { a, b } = new DOMMatrix(transform === 'none' ? '' : transform)
    degrees += (Number.parseFloat(rotate) || 0) + (Math.atan2(b, a) * 180) / Math.PI
  }
  return degrees
}
