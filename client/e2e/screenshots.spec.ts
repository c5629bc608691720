import { test } from './test.ts'

// `npm run pictures` runs these tests. `npm test` skips every test with "captured" in its name.
const folder = 'test-results/screenshots'

for (const colorScheme of ['light', 'dark'] as const) {
  for (const width of [360, 768, 1440]) {
    test(`the page is captured at ${width} px in ${colorScheme} mode`, async ({ page }) => {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
      await page.setViewportSize({ width, height: 900 })
      await page.goto('/')
      for (const picture of await page.locator('img').all()) await picture.scrollIntoViewIfNeeded()
      await page.evaluate(() => Promise.all([...document.images].map((image) => image.decode())))
      await page.evaluate(() => document.fonts.ready)
      await page.evaluate(() => window.scrollTo(0, 0))

      const name = `${folder}/home-${width}-${colorScheme}`
      await page.screenshot({ path: `${name}-top.png` })
      await page.screenshot({ path: `${name}.png`, fullPage: true })
    })
  }
}
