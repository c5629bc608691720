import { expect, type Locator, type Page } from '@playwright/test'

/** Where the first element that matches is in the window. */
export async function boxOf(page: Page, selector: string) {
  const box = await page.locator(selector).first().boundingBox()
  if (!box) throw new Error(`${selector} is not visible.`)
  return { ...box, bottom: box.y + box.height }
}

/**
 * The focused element, whether it is visible: in the window and not covered (WCAG 2.4.11), and
 * whether a ring shows that it has the focus. A link in a drawing draws its own.
 */
export const focusState = (page: Page) =>
  page.evaluate(() => {
    const element = document.activeElement as HTMLElement
    const { left, top, width, height } = element.getBoundingClientRect()
    // The top and the bottom of a tall field: a part of it may be covered.
    const inset = Math.min(height, 40) / 2
    const isVisibleAt = (y: number) => {
      const found = document.elementFromPoint(left + width / 2, y)
      return found !== null && (element.contains(found) || found.contains(element))
    }
    return {
      isVisible: isVisibleAt(top + inset) || isVisibleAt(top + height - inset),
      hasRing:
        element instanceof SVGElement ||
        [undefined, '::after'].some((part) => getComputedStyle(element, part).outlineStyle !== 'none'),
      id: element.id,
      name: element.getAttribute('name'),
      text: element.textContent?.trim() ?? '',
      tag: element.tagName,
    }
  })

/**
 * Elements that don't fit into the window. Leaves out those that match a selector or are inside one
 * that does.
 */
export const findOverflow = (page: Page, ignored: string) =>
  page.evaluate((selector) => {
    const limit = document.documentElement.clientWidth
    const outside = [...document.querySelectorAll('body :not(svg *)')].filter(
      (element) => !element.closest(selector) && element.getBoundingClientRect().right > limit + 1,
    )
    return [
      document.documentElement.scrollWidth > limit ? 'scrolls sideways' : '',
      ...outside.map((element) => element.outerHTML.slice(0, 120)),
    ].filter(Boolean)
  }, ignored)

/**
 * Controls, and links in a sentence, without a border or underline: with forced colors, they look
 * like text.
 */
export async function findFaintControls(page: Page): Promise<string[]> {
  await page.emulateMedia({ forcedColors: 'active' })
  const faint = await page
    .locator('button, input:not([type=checkbox]), select, textarea, p a')
    .evaluateAll((controls) =>
      controls
        .filter((control) => control.checkVisibility())
        .filter(
          (control) => !control.matches('a') || control.parentElement?.textContent !== control.textContent,
        )
        .filter((control) => {
          const { borderTopWidth, textDecorationLine } = getComputedStyle(control)
          return borderTopWidth === '0px' && textDecorationLine === 'none'
        })
        .map((control) => `faint: ${control.outerHTML.slice(0, 90)}`),
    )
  await page.emulateMedia({ forcedColors: null })
  return faint
}

/** Visible elements that move. */
export const findMoving = (page: Page) =>
  page.evaluate(() =>
    document
      .getAnimations()
      .filter(
        ({ effect, playState }) =>
          playState === 'running' && Number(effect?.getComputedTiming().activeDuration) > 1,
      )
      .map(({ effect }) => (effect as KeyframeEffect).target as HTMLElement)
      .filter((element) => element.checkVisibility())
      .map((element) => element.outerHTML.slice(0, 90)),
  )

/**
 * Waits until the page no longer scrolls: until ten frames have passed without a change, because
 * scrolling can start late.
 */
export const waitUntilStill = (page: Page) =>
  page.evaluate(async () => {
    for (let still = 0, last = scrollY; still < 10; still++) {
      await new Promise(requestAnimationFrame)
      if (scrollY !== last) still = 0
      last = scrollY
    }
  })

/**
 * Once nothing scrolls: how far the element is below the header and from the middle of the window,
 * and where its text ends.
 */
export async function placeOf(target: Locator) {
  await waitUntilStill(target.page())
  return target.evaluate((element) => {
    const text = document.createRange()
    text.selectNodeContents(element)
    const { right } = text.getBoundingClientRect()
    const { top, bottom } = element.getBoundingClientRect()
    const header = document.querySelector('header')?.getBoundingClientRect().bottom ?? 0
    return { below: top - header, fromMiddle: Math.abs((top + bottom - innerHeight) / 2), right, bottom }
  })
}

/**
 * The sum of all layout shifts so far outside the header, in which long office hours can become
 * shorter: nothing is below them.
 */
export const sumShifts = (page: Page) =>
  page.evaluate(async () => {
    type LayoutShift = PerformanceEntry & { value: number; sources: { node?: Node }[] }
    const shifts: LayoutShift[] = []
    const observer = new PerformanceObserver((list) => shifts.push(...(list.getEntries() as LayoutShift[])))
    observer.observe({ type: 'layout-shift', buffered: true })
    // Without shifts, the observer is never called.
    await new Promise((resolve) => setTimeout(resolve, 100))
    const inHeader = ({ node }: { node?: Node }) => node?.parentElement?.closest('header') != null
    return shifts
      .filter(({ sources }) => sources.length === 0 || !sources.every(inHeader))
      .reduce((sum, { value }) => sum + value, 0)
  })

/**
 * Sets the size of text in the browser's settings, which is 16 px by default. It also applies to
 * pages that are opened later.
 */
export async function setTextSize(page: Page, standard: number) {
  const browser = await page.context().newCDPSession(page)
  await browser.send('Page.setFontSizes', { fontSizes: { standard } })
  await expect(page.locator('html')).toHaveCSS('font-size', `${standard}px`)
}
