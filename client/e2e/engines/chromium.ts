import { launch } from 'puppeteer-core'
import { chromiumFlags, findChromium } from '../../../server/proof/testing/find-chromium.ts'
import type { Engine } from './engine.ts'
import { openBrowser } from './puppeteer-browser.ts'

export const chromium: Engine = {
  name: 'Chromium',
  needs: [],
  launch: async ({ withScripts }) => {
    const browser = await launch({ executablePath: findChromium(), args: chromiumFlags })
    const [page] = await browser.pages()
    await page?.setJavaScriptEnabled(withScripts)
    return openBrowser(browser)
  },
}
