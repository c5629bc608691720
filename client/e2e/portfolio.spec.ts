import type { Page } from '@playwright/test'
import { results, title } from '#brand/words/page-test.ts'
import { portfolio } from '#facts/portfolio.ts'
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
  'below the cards are our measured figures, if there are any, without a PageSpeed link while the site runs on localhost',
  async ({ page }) => {
    await page.goto('/')
    const portfolioSection = page.locator('#portfolio')

    await expect(portfolioSection.getByRole('heading', { name: title })).toHaveCount(results ? 1 : 0)
    for (const { figure } of results ?? []) await expect(portfolioSection).toContainText(figure)
    await expect(page.locator('a[href*=pagespeed]')).toHaveCount(0)
  },
)
