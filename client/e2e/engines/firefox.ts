import { type ElementHandle, launch } from 'puppeteer-core'
import { findFirefox } from '../../../server/proof/testing/find-on-path.ts'
import { type Engine, findElement, waitFor } from './engine.ts'

export const firefox: Engine = {
  name: 'Firefox',
  needs: ['firefox'],
  launch: async () => {
    const browser = await launch({ browser: 'firefox', executablePath: findFirefox() ?? '' })
    const page = await browser.newPage()
    const find = (css: string, text = '') =>
      waitFor(`${css} "${text}" is visible`, async () => {
        const handle = await page.evaluateHandle(findElement, css, text)
        return handle.asElement() as ElementHandle<HTMLElement> | null
      })
    return {
      resize: (width, height) => page.setViewport({ width, height }),
      open: async (url) => void (await page.goto(url)),
      run: (inPage, ...args) => page.evaluate(inPage as (...args: unknown[]) => never, ...args),
      click: async (css, text) => (await find(css, text)).click(),
      fill: async (css, text) => {
        const field = await find(css)
        await field.evaluate((input) => (input as HTMLInputElement).select())
        await field.type(text)
      },
      picture: async (path) => void (await page.screenshot({ path: path as `${string}.png` })),
      [Symbol.asyncDispose]: () => browser.close(),
    }
  },
}
