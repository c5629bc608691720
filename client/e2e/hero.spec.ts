import type { Page } from '@playwright/test'
import * as words from '#brand/words/hero.ts'
import { openNow, opensNext } from '#brand/words/hours.ts'
import { brand } from '#facts/brand.ts'
import { colors } from '#facts/colors.ts'
import { measure, openHero, readTimings } from './hero-layout.ts'
import { withMotion } from './motion.ts'
import { expect, pageTest as test } from './test.ts'
import { toRgb } from './to-rgb.ts'

test.use(withMotion)

const boxOf = async (page: Page, selector: string) => {
  const box = await page.locator(selector).first().boundingBox()
  if (!box) throw new Error(`${selector} is not visible.`)
  return { ...box, bottom: box.y + box.height }
}

test('the headline is the largest paint, both buttons and the phone number are in the first view, and the drawing is legible', async ({
  page,
}) => {
  await test.step('the headline is the largest paint, and hardly anything moves when the fonts load', async () => {
    for (const width of [360, 1440]) {
      await openHero(page, width)
      const { shift, largest } = await readTimings(page)
      expect(largest, `at ${width} px`).toBe('h1')
      // Google's limit for a good layout shift score.
      expect(shift, `at ${width} px`).toBeLessThan(0.1)
    }
  })

  await test.step('both buttons and, unless the header has it, the phone number are in the first view, and nothing moves when the office hours change', async () => {
    const number = page.locator(`main p a[href="tel:${brand.phoneLink}"]`).first()
    const hours = page.locator('main [data-office-hours]').first()
    for (const [width, height, isSideBySide, hasNumber] of [
      [320, 640, false, true],
      [360, 740, false, true],
      [568, 320, true, true],
      [740, 360, true, true],
      [768, 1024, true, true],
      [831, 600, true, true],
      [832, 600, true, false],
      [1024, 768, true, false],
    ] as const) {
      await page.setViewportSize({ width, height })
      const quote = await boxOf(page, 'h1 ~ div a[href="#contact"]')
      const work = await boxOf(page, 'h1 ~ div a[href="#portfolio"]')

      expect(quote.y === work.y, `side by side at ${width} px`).toBe(isSideBySide)
      expect(work.bottom, `buttons at ${width} x ${height}`).toBeLessThanOrEqual(height)
      await expect(number).toBeVisible({ visible: hasNumber })
      if (!hasNumber) continue
      await expect(number).toBeInViewport({ ratio: 1 })
      expect((await number.boundingBox())?.height).toBeGreaterThanOrEqual(44)

      const before = await measure(page, 'final')
      for (const text of [openNow, opensNext.replace('{day}', 'Mon'), words.officeHours]) {
        await hours.evaluate((element, words) => element.replaceChildren(words), text)
        expect(await measure(page, 'final'), `${text} at ${width} px`).toEqual(before)
      }
    }
  })

  await test.step('the drawing is legible and short on a phone, and its leader lines cross no text or button', async () => {
    const drawing = page.locator('main figure svg').first()
    for (const width of [360, 768, 1024, 1440]) {
      await page.setViewportSize({ width, height: 740 })
      if (width === 360) expect((await boxOf(page, 'main figure')).bottom).toBeLessThanOrEqual(1000)
      expect(await drawing.evaluate(findFlaws), `at ${width} px`).toEqual([])
    }
  })

  await test.step('the headline has its words, size and colors, and its accent is as wide as expected', async () => {
    await page.setViewportSize({ width: 1600, height: 900 })
    await expect(page.locator('h1')).toHaveText(words.beforeAccent + words.accent + words.afterAccent)
    await expect(page.locator('h1')).toHaveCSS('font-size', '84px')
    await expect(page.locator('h1 em')).toHaveCSS('color', toRgb(colors.accent[0]))
    await expect(page.locator('main figure').first().locator('img, image')).toHaveCount(0)

    const accentInEm = await page.locator('h1 em').evaluate((element) => {
      element.querySelector('svg')?.remove()
      return element.getBoundingClientRect().width / Number.parseFloat(getComputedStyle(element).fontSize)
    })
    expect(accentInEm).toBeCloseTo(Number.parseFloat(words.accentWidth), 2)
  })
})

/** Finds labels smaller than 11 px, and labels and leader lines that leave the drawing or cross another label or button. */
function findFlaws(drawing: Element): string[] {
  const find = (selector: string) => [...drawing.querySelectorAll<SVGGraphicsElement>(selector)]
  const boxOf = (part: Element) => part.getBoundingClientRect()
  const overlap = (a: DOMRect, b: DOMRect) =>
    a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom
  const contains = (a: DOMRect, b: DOMRect) =>
    a.left <= b.left && b.right <= a.right && a.top <= b.top && b.bottom <= a.bottom
  const name = (part: Element) => part.textContent || part.getAttribute('d') || part.localName

  const scale = (drawing as SVGSVGElement).getScreenCTM()?.a ?? 0
  const texts = find('text:not(:has(tspan)), tspan')
  const leaders = find('[class*=leader]')
  const obstacles = [...texts, ...find('[class*=action]')]
  const small = texts.filter((text) => Number.parseFloat(getComputedStyle(text).fontSize) * scale < 11)
  const outside = [...texts, ...leaders].filter((part) => !contains(boxOf(drawing), boxOf(part)))
  const crossing = [...texts, ...leaders].filter((part) =>
    obstacles.some(
      (obstacle) =>
        obstacle !== part &&
        overlap(boxOf(obstacle), boxOf(part)) &&
        // A button may contain its own text, and the lines of a label may touch.
        (leaders.includes(part) ||
          !(contains(boxOf(obstacle), boxOf(part)) || obstacle.parentNode === part.parentNode)),
    ),
  )
  return [
    ...small.map((part) => `small: ${name(part)}`),
    ...outside.map((part) => `outside: ${name(part)}`),
    ...crossing.map((part) => `crossing: ${name(part)}`),
  ]
}
