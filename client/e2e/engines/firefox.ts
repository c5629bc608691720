import { launch } from 'puppeteer-core'
import { findFirefox } from '../../../server/proof/testing/find-on-path.ts'
import type { Engine } from './engine.ts'
import { openBrowser } from './puppeteer-browser.ts'

export const firefox: Engine = {
  name: 'Firefox',
  needs: ['firefox'],
  // Puppeteer drives Firefox through WebDriver BiDi, which has no command to turn scripts off, so a preference does it.
  launch: async ({ withScripts }) =>
    openBrowser(
      await launch({
        browser: 'firefox',
        executablePath: findFirefox() ?? '',
        extraPrefsFirefox: { 'javascript.enabled': withScripts },
      }),
    ),
}
