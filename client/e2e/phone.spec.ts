import type { Page } from '@playwright/test'
import * as words from '#brand/words/header.ts'
import { openNow, opensNext } from '#brand/words/hours.ts'
import { brand } from '#facts/brand.ts'
import { hours } from '#facts/hours.ts'
import { createTimeZone } from '#shared/time-zone.ts'
import { expect, pageTest, test, waitForHydration } from './test.ts'

const phones = 'a[href^="tel:"]'
const callBar = (page: Page) => page.getByRole('complementary', { name: words.callBar })
const scrollPageTo = (page: Page, selector: string) =>
  page
    .locator(selector)
    .first()
    .evaluate((element) => element.scrollIntoView({ behavior: 'instant' }))

pageTest(
  'a phone number is visible without scrolling: if it fits, in the header, between the links and Get Quote',
  async ({ page }) => {
    await page.goto('/')
    for (const [width, height] of [
      [360, 740],
      [768, 1024],
      [831, 600],
      [832, 600],
      [960, 800],
      [1024, 768],
      [1440, 900],
      [1920, 1080],
    ] as const) {
      await page.setViewportSize({ width, height })
      const boxesOf = (selector: string) =>
        page.locator(selector).evaluateAll((links) =>
          links.map((link) => {
            const { top, bottom, left, right, height } = link.getBoundingClientRect()
            return { top, bottom, left, right: Math.max(right, left + link.scrollWidth), height }
          }),
        )
      const place = width < 832 ? 'body' : 'header'
      const numbers = await boxesOf(`${place} ${phones}:visible`)
      expect(
        numbers.filter(
          ({ top, bottom, left, right }) => top >= 0 && bottom <= height && left >= 0 && right <= width,
        ),
        `in the ${place} at ${width} px`,
      ).not.toEqual([])
      if (place === 'body') continue

      const links = await boxesOf('header a:visible:not([href="#main"])')
      expect(links).toHaveLength(6 + 1)
      for (const [index, { left, height }] of links.slice(1).entries())
        expect([left >= (links[index]?.right ?? 0), height >= 44]).toEqual([true, true])
    }
  },
)

pageTest(
  'next to each phone number, the page says whether the office is open, and nothing moves when that changes',
  async ({ page }) => {
    // A Friday, 90 seconds before the office closes.
    const closesAt = createTimeZone(hours.timeZone).fromWall(Date.parse(`2026-03-06T${hours.closes}Z`))
    await page.clock.install({ time: closesAt - 90_000 })
    const texts = () => page.locator('[data-office-hours]').allTextContents()
    const layout = async () => {
      const boxes = []
      // At 430 px, only a short text fits beside the number in the contact information, unless its width is reserved.
      for (const width of [430, 1280]) {
        await page.setViewportSize({ width, height: 740 })
        const elements = page.locator('header a, [data-office-hours], #contact dl *')
        boxes.push(
          await elements.evaluateAll((all) =>
            all.map((element) => {
              const { left, height } = element.getBoundingClientRect()
              // In the header, the height may change: long office hours can wrap, but nothing is below them.
              return element.closest('header') ? [left] : [left, height]
            }),
          ),
        )
      }
      return boxes
    }
    const { promise: released, resolve: release } = Promise.withResolvers<void>()
    await page.route('**/assets/main-*.js', async (route) => {
      await released
      await route.continue()
    })
    await page.goto('/')
    await expect(page.locator('html')).toHaveAttribute('data-laid-out')
    expect(new Set(await texts())).toEqual(new Set([hours.text]))
    const before = await layout()
    const count = (await texts()).length

    release()
    await waitForHydration(page)
    expect(new Set(await texts())).toEqual(new Set([hours.text]))
    await page.clock.runFor('00:05')
    await expect.poll(async () => new Set(await texts())).toEqual(new Set([openNow]))
    expect(await layout()).toEqual(before)
    await page.clock.runFor('02:00')
    expect(await texts()).toEqual(Array(count).fill(opensNext.replace('{day}', 'Mon')))
    expect(await layout()).toEqual(before)
    // At least one each in the header or menu, the contact information, and the call bar.
    expect(count).toBeGreaterThanOrEqual(3)
  },
)

pageTest(
  'on a phone, the call bar hides whenever it is not needed, and never covers the focused element',
  async ({ page }) => {
    const bar = callBar(page)
    await page.setViewportSize({ width: 360, height: 740 })
    await page.goto('/')
    await waitForHydration(page)

    await test.step('the call bar hides while the hero buttons or the form is in view, and on wide or short screens', async () => {
      await expect(bar).toBeHidden()
      await scrollPageTo(page, '#pricing')
      await expect(bar).toBeVisible()
      expect(await bar.boundingBox()).toEqual({ x: 0, y: 740 - 56, width: 360, height: 56 })
      await expect(bar.getByRole('link', { name: `${words.call} ${brand.phone}` })).toHaveAttribute(
        'href',
        `tel:${brand.phoneLink}`,
      )
      await scrollPageTo(page, 'form')
      await expect(bar).toBeHidden()
      await page.evaluate(() => scrollTo(0, document.body.scrollHeight))
      await expect(bar).toBeVisible()
      const end = await page.locator('footer > :last-child').boundingBox()
      expect((end?.y ?? 0) + (end?.height ?? 0)).toBeLessThanOrEqual(740 - 56)

      await bar.getByRole('link', { name: words.getQuote }).click()
      await expect(page.locator('#contact h2')).toBeInViewport()
      await page.setViewportSize({ width: 740, height: 360 })
      await scrollPageTo(page, '#portfolio')
      await expect(bar).toBeVisible()
      for (const [width, height] of [
        [832, 900],
        [320, 256],
      ] as const) {
        await page.setViewportSize({ width, height })
        await expect(bar).toBeHidden()
      }
    })

    await test.step('the call bar is hidden while a field has the focus, while the on-screen keyboard is open, and in print', async () => {
      await page.setViewportSize({ width: 360, height: 740 })
      await scrollPageTo(page, '#pricing')
      await expect(bar).toBeVisible()

      await page
        .getByLabel('First name')
        .evaluate((field: HTMLElement) => field.focus({ preventScroll: true }))
      await expect(bar).toBeHidden()
      await page.getByLabel('First name').blur()
      await expect(bar).toBeVisible()

      const resizeViewport = (height: number) =>
        page.evaluate((value) => {
          Object.defineProperty(visualViewport, 'height', { value, configurable: true })
          visualViewport?.dispatchEvent(new Event('resize'))
        }, height)
      await resizeViewport(420)
      await expect(bar).toBeHidden()
      await resizeViewport(740)
      await expect(bar).toBeVisible()
      await page.emulateMedia({ media: 'print' })
      await expect(bar).toBeHidden()
      await page.emulateMedia({ media: 'screen' })
      await expect(bar).toBeVisible()
    })

    for (const [what, width, fontSize, barHeight] of [
      ['at 320 px', 320, 16, 56],
      ['with double text size', 360, 32, 0.16 * 360],
    ] as const)
      await test.step(`the call bar never covers the focused element, ${what}`, async () => {
        const browser = await page.context().newCDPSession(page)
        await browser.send('Page.setFontSizes', { fontSizes: { standard: fontSize } })
        await page.setViewportSize({ width, height: 740 })
        await expect(page.locator('html')).toHaveCSS('font-size', `${fontSize}px`)
        // Pressing Tab then leads to the first link below the skip link.
        await page.locator('a[href="#main"]').focus()
        let shown = 0
        for (let tabs = 0; tabs < 60; tabs++) {
          await page.keyboard.press('Tab')
          const { isShown, overlap } = await page.evaluate(() => {
            const bar = document.getElementById('call-bar') as HTMLElement
            const active = document.activeElement as HTMLElement
            const isElsewhere = active !== document.body && !bar.contains(active)
            const isShown = getComputedStyle(bar).visibility === 'visible' && isElsewhere
            return {
              isShown,
              overlap: active.getBoundingClientRect().bottom - bar.getBoundingClientRect().top,
            }
          })
          if (!isShown) continue
          expect(overlap).toBeLessThanOrEqual(0)
          shown++
        }

        expect(shown).toBeGreaterThan(10)
        await page.evaluate(() => (document.activeElement as HTMLElement).blur())
        await page.evaluate(() => scrollTo(0, document.body.scrollHeight))
        await expect(bar).toBeVisible()
        const sizes = await bar.evaluate((element) => ({
          height: element.getBoundingClientRect().height,
          clipped: [...element.children].filter(
            (part) => part.scrollWidth > part.clientWidth || part.scrollHeight > part.clientHeight,
          ).length,
        }))
        expect(sizes).toEqual({ height: expect.closeTo(barHeight, 1), clipped: 0 })
      })
  },
)

pageTest(
  'the button of the open menu is an X, even before the script loads, and a bar marks the current section',
  async ({ page }) => {
    await page.emulateMedia({ forcedColors: 'active', reducedMotion: 'reduce' })
    const button = page.getByRole('button', { name: words.menu })
    const angles = () =>
      button.evaluate((element) =>
        ['::before', '::after'].map((part) => getComputedStyle(element, part).rotate),
      )
    const { promise: released, resolve: release } = Promise.withResolvers<void>()
    await page.route('**/assets/*.js', async (route) => {
      await released
      await route.continue()
    })
    await page.setViewportSize({ width: 360, height: 740 })
    await page.goto('/')
    expect(await angles()).toEqual(['none', 'none'])

    await button.click()
    expect(await angles()).toEqual(['45deg', '-45deg'])
    release()
    await waitForHydration(page)
    expect(await isExpanded(page)).toBe(true)
    expect(await angles()).toEqual(['45deg', '-45deg'])
    await expect(
      page.getByRole('navigation', { name: words.navigation }).getByRole('link').last(),
    ).toHaveAttribute('href', `tel:${brand.phoneLink}`)
    await page.keyboard.press('Escape')
    expect(await angles()).toEqual(['none', 'none'])
    expect(await isExpanded(page)).toBe(false)

    for (const width of [360, 1280]) {
      await page.setViewportSize({ width, height: 740 })
      await scrollPageTo(page, '#pricing')
      const current = page.locator('header [aria-current]')
      await expect(current).toHaveText(words.entries.pricing)
      const mark = await current.evaluate((link) => {
        const { content, borderInlineStartWidth, borderBlockEndWidth, scale } = getComputedStyle(
          link,
          '::after',
        )
        return content === 'none' || scale.startsWith('0')
          ? []
          : [borderInlineStartWidth, borderBlockEndWidth]
      })
      expect(mark).toEqual(width === 360 ? ['4px', '0px'] : ['0px', '2px'])
    }
  },
)

/** What the browser tells a screen reader about the menu's button. */
async function isExpanded(page: Page) {
  const devtools = await page.context().newCDPSession(page)
  const { root } = await devtools.send('DOM.getDocument')
  const { nodes } = await devtools.send('Accessibility.queryAXTree', {
    nodeId: root.nodeId,
    role: 'button',
    accessibleName: words.menu,
  })
  return nodes[0]?.properties?.find(({ name }) => name === 'expanded')?.value.value
}
