import { test } from './test.ts'
import { walks } from './tour.ts'

// `npm run pictures` runs these tests. `npm test` skips every test with "captured" in its name.
const folder = 'test-results/screenshots/inbox'

for (const colorScheme of ['light', 'dark'] as const)
  for (const width of [360, 390, 768, 1440])
    for (const [name, walk] of Object.entries(walks))
      test(`the inbox is captured: ${name} at ${width} px in ${colorScheme} mode`, async ({
        page,
        site,
        dataDir,
      }) => {
        await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
        await page.setViewportSize({ width, height: width < 700 ? 780 : 900 })
        const see = (what: string) =>
          page.screenshot({ path: `${folder}/${what}-${width}-${colorScheme}.png` })
        await walk({ page, site, dataDir, see })
      })
