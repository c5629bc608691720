import type { ElementHandle, Browser as PuppeteerBrowser } from 'puppeteer-core'
import type { Browser, Target } from './engine.ts'
import { aimAt, findElement, readText } from './in-page.ts'
import { takeAim } from './take-aim.ts'
import { waitFor } from './wait-for.ts'

/** Chromium and Firefox, driven by Puppeteer. */
export async function openBrowser(browser: PuppeteerBrowser): Promise<Browser> {
  const [page = await browser.newPage()] = await browser.pages()

  const find = ({ css, text = '' }: Target) =>
    waitFor(`${css} "${text}" is visible`, async () => {
      const handle = await page.evaluateHandle(findElement, css, text)
      return handle.asElement() as ElementHandle<HTMLElement> | null
    })

  return {
    version: await browser.version(),
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
