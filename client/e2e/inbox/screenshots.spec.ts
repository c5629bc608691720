import { pageTest as test } from '../test.ts'
import { openState, stateNames } from './states.ts'

// `npm run pictures` runs these tests. `npm test` skips every test with "captured" in its name.
const folder = 'test-results/screenshots/inbox'
const isWanted = (name: string) => process.env.ONLY_STATE?.split(',').includes(name) ?? true

for (const colorScheme of ['light', 'dark'] as const)
  for (const width of [360, 390, 768, 1440])
    for (const name of stateNames.filter((state) => isWanted(`${state}-${width}-${colorScheme}`)))
      test(`the inbox is captured: ${name} at ${width} px in ${colorScheme} mode`, async ({
        page,
        browserErrors,
      }) => {
        await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
        await page.setViewportSize({ width, height: width < 700 ? 780 : 900 })
        await openState(page, name)
        await page.screenshot({ path: `${folder}/${name}-${width}-${colorScheme}.png` })
        browserErrors.length = 0
      })
