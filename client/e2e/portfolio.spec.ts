import { results, title } from '#brand/words/page-test.ts'
import { portfolio } from '#facts/portfolio.ts'
import { expect, pageTest } from './test.ts'

pageTest(
  'the cards show pictures that fit the screen, and below them are our measured figures, if there are any',
  async ({ page }) => {
    const shown = async (width: number) => {
      await page.setViewportSize({ width, height: 844 })
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
    const portfolioSection = page.locator('#portfolio')

    await expect(portfolioSection.getByRole('heading', { name: title })).toHaveCount(results ? 1 : 0)
    for (const { figure } of results ?? []) await expect(portfolioSection).toContainText(figure)
    // PageSpeed cannot reach a site that runs on localhost.
    await expect(page.locator('a[href*=pagespeed]')).toHaveCount(0)

    expect(await shown(360)).toEqual(portfolio.map(({ image }) => [`${image}-phone.avif`, 133]))
    expect(await shown(1440)).toEqual(portfolio.map(({ image }) => [`${image}.avif`, 67]))
  },
)
