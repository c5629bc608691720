import { defineConfig } from '@playwright/test'
import { brand } from '#facts/brand.ts'
import { chromiumFlags, findChromium } from '../../server/proof/testing/find-chromium.ts'

// Playwright's workers load this file again and find Chromium through this variable.
process.env.CHROMIUM_PATH = findChromium()
// Without a locale, Chromium saves no file under a name with an umlaut.
process.env.LANG ??= 'C.UTF-8'

export default defineConfig({
  testDir: '.',
  // The *.plumbline tests quote Plumbline's facts, so they are skipped for any other agency.
  testIgnore: (brand.name as string) === 'Plumbline' ? [] : ['**/*.plumbline.spec.ts'],
  outputDir: '../../test-results',
  fullyParallel: true,
  // More workers than the two cores of a small machine, because tests also wait for timers.
  workers: 4,
  forbidOnly: Boolean(process.env.CI),
  timeout: 90_000,
  // A page can be slow, because four browsers share the cores of a CI machine.
  expect: { timeout: 10_000 },
  reporter: 'list',
  use: {
    // Most machines of CI are in UTC, where no test would see a wrong time zone.
    timezoneId: 'America/St_Johns',
    // Pages without animations load in two thirds of the time. Tests of animations turn them on.
    contextOptions: { reducedMotion: 'reduce' },
    launchOptions: {
      executablePath: process.env.CHROMIUM_PATH,
      args: chromiumFlags,
    },
  },
})
