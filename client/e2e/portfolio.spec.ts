import type { Page } from '@playwright/test'
import { measured } from '#facts/measured.ts'
import { portfolio } from '#facts/portfolio.ts'
import { violations } from './axe.ts'
import { expect, pageTest } from './test.ts'

const setWidth = (page: Page, width: number) => page.setViewportSize({ width, height: 844 })

/** How many lines of text the label of each result has. */
const countLines = (page: Page) =>
  page
    .locator('#portfolio article dt')
    .evaluateAll((labels) =>
      labels.map(
        (label) =>
          label.getBoundingClientRect().height / Number.parseFloat(getComputedStyle(label).lineHeight),
      ),
    )

pageTest('the label of each result fits on one line, in both fonts', async ({ page }) => {
  await page.goto('/')
  await expect(page.locator('html')).toHaveAttribute('data-web-fonts')

  for (const font of ['Instrument Sans', 'Text fallback']) {
    // Without the animation that switches to the web fonts, the fallback remains.
    if (font === 'Text fallback')
      await page.locator('html').evaluate((root) => {
        root.style.animation = 'none'
      })
    await expect(page.locator('body')).toHaveCSS('font-family', new RegExp(`^"${font}"`))
    for (const width of [360, 600, 768, 1024, 1280, 1440]) {
      await setWidth(page, width)
      for (const lines of await countLines(page)) expect(lines, `${width} px, ${font}`).toBeCloseTo(1, 1)
    }
  }
})

pageTest('narrow screens get pictures of a phone, wider screens get wide pictures', async ({ page }) => {
  const shown = async (width: number) => {
    await setWidth(page, width)
    const pictures = page.locator('#portfolio article img')
    for (const picture of await pictures.all()) await picture.scrollIntoViewIfNeeded()
    return pictures.evaluateAll((images) =>
      Promise.all(
        (images as HTMLImageElement[]).map(async (image) => {
          await image.decode()
          const { width, height } = image.getBoundingClientRect()
          return [new URL(image.currentSrc).pathname, Math.round((height / width) * 100)]
        }),
      ),
    )
  }
  await page.goto('/')

  expect(await shown(360)).toEqual(portfolio.map(({ image }) => [`${image}-phone.avif`, 216]))
  expect(await shown(1440)).toEqual(portfolio.map(({ image }) => [`${image}.avif`, 67]))
})

pageTest(
  'below the cards are our measured figures, without a PageSpeed link while the site runs on localhost',
  async ({ page }) => {
    await page.goto('/')
    const portfolioSection = page.locator('#portfolio')

    await expect(portfolioSection.getByRole('heading', { name: 'Test this page yourself' })).toBeVisible()
    await expect(portfolioSection).toContainText(`${measured?.lighthouse} of 100`)
    await expect(portfolioSection).toContainText(`${measured?.kilobytes} kB`)
    await expect(page.locator('a[href*=pagespeed]')).toHaveCount(0)
  },
)

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
        await setWidth(page, width)
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
