import type { Page } from '@playwright/test'
import { workdaysOnly } from '#brand/words/contact.ts'
import { copyright, privacy } from '#brand/words/footer.ts'
import { privacyLink } from '#brand/words/form.ts'
import { entries } from '#brand/words/header.ts'
import { erasing, readers, retention, title } from '#brand/words/privacy.ts'
import { brand } from '#facts/brand.ts'
import { violationsInEveryMode } from './axe.ts'
import { expect, pageTest, test } from './test.ts'

const heading = (page: Page) => page.getByRole('heading', { level: 1 })
const mainText = (page: Page) => page.locator('main').innerText()

pageTest(
  'the contact section says that promised times skip weekends, and links to the privacy page',
  async ({ page }) => {
    await page.goto('/')
    await expect(page.locator('#contact').getByText(workdaysOnly)).toBeVisible()
    await page.locator('form').getByRole('link', { name: privacyLink }).click()
    await expect(heading(page)).toHaveText(title)
    await page.goBack()
    await page.getByRole('contentinfo').getByRole('link', { name: privacy }).click()
    await expect(page).toHaveURL(/\/privacy$/)
    await page.setViewportSize({ width: 1280, height: 800 })
    await page.getByRole('banner').getByRole('link', { name: entries.pricing }).click()

    await expect(page).toHaveURL(/\/#pricing$/)
    await expect(page.locator('#pricing').getByRole('heading').first()).toBeInViewport()
  },
)

pageTest(
  'the privacy page says only what the server does, does not change when its script starts, and fits every window',
  async ({ page }) => {
    await page.emulateMedia({ reducedMotion: 'no-preference' })
    await page.goto('/privacy', { waitUntil: 'domcontentloaded' })
    await test.step('when the script starts, nothing on the page changes or moves', async () => {
      const before = await mainText(page)
      await page.waitForLoadState('networkidle')
      expect(await mainText(page)).toBe(before)
      const shifts = await page.evaluate(async () => {
        type LayoutShift = PerformanceEntry & { sources: { node?: Node }[] }
        const found: LayoutShift[] = []
        const observer = new PerformanceObserver((list) =>
          found.push(...(list.getEntries() as LayoutShift[])),
        )
        observer.observe({ type: 'layout-shift', buffered: true })
        await new Promise((resolve) => setTimeout(resolve, 100))
        // In the header, long office hours can become shorter, but nothing is below them.
        const inHeader = ({ node }: { node?: Node }) => node?.parentElement?.closest('header') != null
        return found
          .filter(({ sources }) => sources.length === 0 || !sources.every(inHeader))
          .map((entry) => JSON.stringify(entry))
      })
      expect(shifts).toEqual([])
    })

    await test.step('the page says only what the server does, and how to have data erased', async () => {
      await page.waitForLoadState('networkidle')
      const text = await mainText(page)
      expect(text).toContain(retention.kept)
      expect(text).toContain(readers.nobodyElse)
      expect(text).toContain(`${erasing.ask}\n\n${brand.email}\n${brand.phone}`)
      expect(text).not.toMatch(/%|automatically|Another program/)
      for (const name of [brand.email, brand.phone])
        expect((await page.locator('main').getByRole('link', { name }).boundingBox())?.height).toBe(44)
      await expect(page.getByRole('contentinfo')).toContainText(copyright)
    })

    await test.step('axe finds nothing, and nothing is wider than the window', async () => {
      // Without transitions, so that axe never checks a color halfway between light and dark.
      await page.emulateMedia({ reducedMotion: 'reduce' })
      expect(await violationsInEveryMode(page)).toEqual([])

      const browser = await page.context().newCDPSession(page)
      for (const [width, standard] of [
        [320, 16],
        [360, 32],
        [1440, 16],
      ] as const) {
        await page.setViewportSize({ width, height: 740 })
        await browser.send('Page.setFontSizes', { fontSizes: { standard } })
        await expect(page.locator('html')).toHaveCSS('font-size', `${standard}px`)
        expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width)
      }
    })
  },
)
