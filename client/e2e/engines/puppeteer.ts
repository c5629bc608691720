import { type ElementHandle, type LaunchOptions, launch } from 'puppeteer-core'
import { chromiumFlags, findChromium } from '../../../server/proof/testing/find-chromium.ts'
import { findFirefox } from '../../../server/proof/testing/find-on-path.ts'
import { type Browser, type Engine, type Target, takeAim, waitFor } from './engine.ts'
import { aimAt, findElement, readText } from './in-page.ts'

export const chromium: Engine = {
  name: 'Chromium',
  needs: [],
  launch: ({ withScripts }) =>
    openBrowser({ executablePath: findChromium(), args: chromiumFlags }, withScripts),
}

export const firefox: Engine = {
  name: 'Firefox',
  needs: ['firefox'],
  // Puppeteer drives Firefox through WebDriver BiDi, which has no command to turn scripts off, so a preference does it.
  launch: ({ withScripts }) =>
    openBrowser({
      browser: 'firefox',
      executablePath: findFirefox() ?? '',
      extraPrefsFirefox: { 'javascript.enabled': withScripts },
    }),
}

async function openBrowser(options: LaunchOptions, withScripts = true): Promise<Browser> {
  const browser = await launch(options)
  const [page = await browser.newPage()] = await browser.pages()
  if (!withScripts) await page.setJavaScriptEnabled(false)

  const find = ({ css, text = '' }: Target) =>
    waitFor(`${css} "${text}" is visible`, async () => {
      const handle = await page.evaluateHandle(findElement, css, text)
      return handle.asElement() as ElementHandle<HTMLElement> | null
    })

  return {
    resize: (width, height) => page.setViewport({ width, height }),
    open: async (url) => {
      // Forces a new document, even if only the fragment differs.
      await page.goto('about:blank')
      await page.goto(url)
    },
    run: (inPage, ...args) => page.evaluate(inPage as (...args: unknown[]) => never, ...args),
    // Not Puppeteer's `click`: it waits for an IntersectionObserver, which never reports in Firefox without scripts.
    click: async (target) => {
      const element = await find(target)
      const { x, y } = await takeAim(target, () => element.evaluate(aimAt))
      await page.mouse.click(x, y)
    },
    fill: async (target, text) => {
      const element = await find(target)
      await element.evaluate((input) => (input as HTMLInputElement).select())
      await element.type(text)
    },
    read: () => page.evaluate(readText),
    picture: async (path) => void (await page.screenshot({ path: path as `${string}.png` })),
    setOffline: (isOffline) => page.setOfflineMode(isOffline),
    [Symbol.asyncDispose]: () => browser.close(),
  }
}
