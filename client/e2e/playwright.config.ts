import { defineConfig } from '@playwright/test'
import { chromiumFlags, findChromium } from '../../server/proof/testing/find-chromium.ts'

// For the workers, which load this file again.
process.env.CHROMIUM_PATH = findChromium()

export default defineConfig({
  testDir: '.',
  outputDir: '../../test-results',
  fullyParallel: true,
  // On two cores: tests also wait for timers.
  workers: 3,
  forbidOnly: Boolean(process.env.CI),
  timeout: 30_000,
  // On a busy CI machine; a passing retry is reported as "flaky".
  retries: process.env.CI ? 1 : 0,
  reporter: 'list',
  use: {
    launchOptions: {
      executablePath: process.env.CHROMIUM_PATH,
      args: chromiumFlags,
    },
  },
})
