import { expect, type Page } from '@playwright/test'

export async function openHero(page: Page, width: number, height = 900) {
  await page.setViewportSize({ width, height })
  await page.goto('/')
  await expect(page.locator('html')).toHaveAttribute('data-laid-out')
}

/** Measures the hero with the given fonts: the number of lines in its heading, and the top of each part in whole pixels.
 * The office hours are left out: their text changes. */
export const measure = (page: Page, font: 'fallback' | 'final') =>
  page.evaluate(
    ([display, text]) => {
      const { style } = document.documentElement
      style.setProperty('--font-display', `"${display}"`, 'important')
      style.setProperty('--font-text', `"${text}"`, 'important')
      const heading = document.querySelector('h1') as HTMLElement
      const parts = [
        ...(heading.parentElement?.parentElement?.querySelectorAll(
          '*:not(svg *, em *, [data-office-hours])',
        ) ?? []),
      ]
      const lines = heading.offsetHeight / Number.parseFloat(getComputedStyle(heading).lineHeight)
      const tops = parts.map((part) => Math.round(part.getBoundingClientRect().top))
      document.documentElement.removeAttribute('style')
      return { lines: Math.round(lines), tops }
    },
    font === 'final' ? ['Bricolage Grotesque', 'Instrument Sans'] : ['Display fallback', 'Text fallback'],
  )

/** The sum of all layout shifts so far, and the tag name of the element with the largest paint. */
export const readTimings = (page: Page) =>
  page.evaluate(async () => {
    const read = (type: string) =>
      new Promise<PerformanceEntry[]>((resolve) => {
        new PerformanceObserver((list) => resolve(list.getEntries())).observe({ type, buffered: true })
        // Without shifts, the observer is never called.
        setTimeout(resolve, 200, [])
      })
    const shifts = await read('layout-shift')
    const largest = (await read('largest-contentful-paint')).at(-1)
    return {
      shift: shifts.reduce((sum, entry) => sum + Reflect.get(entry, 'value'), 0),
      largest: (Reflect.get(largest ?? {}, 'element') as Element | undefined)?.localName,
    }
  })
