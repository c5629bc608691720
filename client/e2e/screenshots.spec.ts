import { test as inboxTest } from './inbox/test.ts'
import { walks } from './inbox/tour.ts'
import { openLaidOut, test } from './test.ts'

// `npm run pictures` runs these tests. `npm test` skips every test with "captured" in its name.
const folder = 'test-results/screenshots'

for (const colorScheme of ['light', 'dark'] as const)
  for (const width of [390, 768, 1440]) {
    const viewport = { width, height: width < 700 ? 780 : 900 }

    test(`the page is captured: ${width} px, ${colorScheme}`, async ({ page }) => {
      await page.emulateMedia({ colorScheme })
      await page.setViewportSize(viewport)
      await openLaidOut(page)
      for (const picture of await page.locator('img:visible').all()) {
        await picture.scrollIntoViewIfNeeded()
        await picture.evaluate((image: HTMLImageElement) => image.decode())
      }
      await page.evaluate(() => window.scrollTo(0, 0))
      const name = `${folder}/home-${width}-${colorScheme}`
      await page.screenshot({ path: `${name}-top.png` })
      await page.screenshot({ path: `${name}.png`, fullPage: true })
    })

    for (const [name, walk] of Object.entries(walks))
      inboxTest(`the inbox is captured: ${name}, ${width} px, ${colorScheme}`, async ({ page, site }) => {
        await page.emulateMedia({ colorScheme })
        await page.setViewportSize(viewport)
        // Later visits show the fonts that this one keeps.
        await page.goto('/inbox')
        await page.waitForFunction(() => localStorage.getItem('fonts-loaded'))
        const see = (what: string) =>
          page.screenshot({ path: `${folder}/inbox/${what}-${width}-${colorScheme}.png` })
        await walk({ page, site, see })
      })
  }
