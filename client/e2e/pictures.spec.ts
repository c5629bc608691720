import { expect, test } from './test.ts'

// To be looked at: `test-results/screenshots`. The README shows one that `npm run pictures` takes.
for (const colorScheme of ['light', 'dark'] as const) {
  for (const width of [360, 768, 1440]) {
    test(`the page is photographed at ${width} px, ${colorScheme}`, async ({ page }) => {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
      await page.setViewportSize({ width, height: 900 })
      await page.goto('/')
      for (const picture of await page.locator('img').all()) await picture.scrollIntoViewIfNeeded()
      await page.evaluate(() => Promise.all([...document.images].map((image) => image.decode())))

      const folder = 'test-results/screenshots'
      const bytes = await page.screenshot({
        path: `${folder}/home-${width}-${colorScheme}.png`,
        fullPage: true,
      })
      expect(bytes.length).toBeGreaterThan(50_000)
    })
  }
}
