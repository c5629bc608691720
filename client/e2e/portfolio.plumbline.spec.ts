import type { Page } from '@playwright/test'
import { portfolio } from '#facts/portfolio.ts'
import { violations } from './axe.ts'
import { withMotion } from './motion.ts'
import { expect, pageTest } from './test.ts'

pageTest.use(withMotion)

// Tests Plumbline's own sample websites.

/** The sum of layout shifts since the page was opened. Google rates a sum of up to 0.1 as good. */
const sumShifts = (page: Page) =>
  page.evaluate(
    () =>
      new Promise<number>((done) => {
        const sum = (entries: PerformanceEntryList) =>
          (entries as (PerformanceEntry & { value: number })[]).reduce((total, { value }) => total + value, 0)
        new PerformanceObserver((list) => done(sum(list.getEntries()))).observe({
          type: 'layout-shift',
          buffered: true,
        })
        setTimeout(() => done(0), 100)
      }),
  )

for (const { title, url } of portfolio)
  pageTest(
    `${title}: axe finds nothing, phone numbers stay on one line, and nothing moves when the font loads`,
    async ({ page }) => {
      // Delays the font, so that the page is first shown in the fallback font.
      await page.route('**/*.woff2', async (route) => {
        await new Promise((done) => setTimeout(done, 200))
        await route.continue()
      })
      for (const width of [320, 768, 1440]) {
        await page.setViewportSize({ width, height: 844 })
        await page.goto(url)
        await page.evaluate(() => document.fonts.ready)
        const numbers = await page.locator('a[href^="tel:"]:visible').evaluateAll((links) =>
          links.map((link) => {
            const text = document.createRange()
            text.selectNodeContents(link.querySelector('b') ?? link)
            return text.getClientRects().length
          }),
        )
        expect(numbers.length).toBeGreaterThan(2)
        expect(new Set(numbers)).toEqual(new Set([1]))
        await expect(page.locator('h1')).toHaveCSS('font-family', /Saira|Outfit/)
        expect(await sumShifts(page)).toBeLessThan(0.02)
      }
      expect(await violations(page)).toEqual([])
      await page.emulateMedia({ reducedMotion: 'reduce' })
      if (await page.getByLabel('Too cold').count()) await page.getByText('Too cold').click()
      await page.locator('summary').first().click()
      await page.getByLabel('Name').fill('Ada Lovelace')
      await page.getByLabel('Phone', { exact: true }).fill('(312) 555-0199')
      await page.locator('form button').click()
      await expect(page.locator('#sent')).toBeVisible()
      expect(new URL(page.url()).search).toBe('')
      expect(await violations(page)).toEqual([])
    },
  )
