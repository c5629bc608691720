import { measure, openHero, readTimings } from './hero-layout.ts'
import { withMotion } from './motion.ts'
import { expect, pageTest as test } from './test.ts'

test.use(withMotion)

// The layout of the hero is tuned for Plumbline's words. Other agencies skip this test: their words wrap differently.
test('the headline has three lines, and nothing moves when the fonts load', async ({ page }) => {
  await openHero(page, 360)
  expect((await readTimings(page)).shift).toBe(0)
  // Includes the widths at which the number of lines is most likely to differ between the two fonts.
  for (const width of [320, 360, 384, 472, 488, 496, 544, 768, 928, 1024, 1112, 1440, 1600]) {
    await page.setViewportSize({ width, height: 900 })
    const final = await measure(page, 'final')
    expect(final.lines, `lines at ${width} px`).toBe(3)
    expect(await measure(page, 'fallback'), `in the fallback font at ${width} px`).toEqual(final)
  }
})
