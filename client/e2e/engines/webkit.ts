import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { findMiniBrowser } from '../../../server/proof/testing/find-on-path.ts'
import { freePort } from '../../../server/proof/testing/free-port.ts'
import { type Browser, type Engine, NotPossible, type Target, takeAim, waitFor } from './engine.ts'
import { aimAt, findElement, readText } from './in-page.ts'
import { startProcess } from './start-process.ts'
import { type ElementReference, isReady, newSession, type Session } from './webdriver.ts'

const PAGE_LOAD_TIMEOUT_MS = 20_000

export const webkit: Engine = {
  name: 'WebKitGTK',
  needs: ['webkit'],
  launch: async ({ withScripts }) => {
    const screen = await startScreen()
    const driver = await startDriver(screen.display)
    const session = await newSession(driver.url, {
      // The default is five minutes.
      timeouts: { pageLoad: PAGE_LOAD_TIMEOUT_MS },
      'webkitgtk:browserOptions': {
        binary: findMiniBrowser(),
        args: [
          '--automation',
          '--javascript-can-open-windows-automatically=true',
          `--enable-javascript=${withScripts}`,
        ],
      },
    })
    await openBareWindow(session)
    return {
      ...createBrowser(session),
      [Symbol.asyncDispose]: async () => {
        await session.close()
        await driver.stop()
        await screen.stop()
      },
    }
  },
}

/** Starts a virtual screen, because WebKitGTK has no headless mode. */
async function startScreen() {
  const args = ['-displayfd', '1', '-screen', '0', '1600x1200x24', '-nolisten', 'tcp']
  const { stdout, stop } = startProcess('Xvfb', args)
  const [number] = await once(stdout, 'data')
  return { display: `:${String(number).trim()}`, stop }
}

async function startDriver(display: string) {
  const port = await freePort()
  const { stop } = startProcess('WebKitWebDriver', [`--port=${port}`], {
    DISPLAY: display,
    // WebKitGTK's sandbox and its shared graphics memory don't work in containers.
    WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS: '1',
    WEBKIT_DISABLE_DMABUF_RENDERER: '1',
  })
  const url = `http://127.0.0.1:${port}`
  await waitFor('WebKitWebDriver is ready', () => isReady(url))
  return { url, stop }
}

/** Opens a window without a toolbar, whose buttons would keep the window at least 447 px wide, wider than a phone. */
async function openBareWindow(session: Session) {
  const [first] = await session.windows()
  await session.run(
    () => void window.open('about:blank', '', 'toolbar=no,menubar=no,width=360,height=780,left=0,top=0'),
  )
  const opened = await waitFor('a second window is open', async () =>
    (await session.windows()).find((handle) => handle !== first),
  )
  await session.switchTo(opened)
}

function createBrowser(session: Session): Omit<Browser, typeof Symbol.asyncDispose> {
  const find = ({ css, text = '' }: Target) =>
    waitFor(
      `${css} "${text}" is visible`,
      async () => (await session.run(findElement, css, text)) as ElementReference | null,
    )

  /** Scrolls to the element without animation. WebDriver would scroll smoothly, and click before the scrolling ends. */
  async function aim(target: Target): Promise<ElementReference> {
    const element = await find(target)
    await takeAim(target, () => session.run(aimAt, element as unknown as HTMLElement))
    return element
  }

  return {
    resize: async (width, height) => void (await session.resize(width, height)),
    open: async (url) => {
      // Forces a new document, even if only the fragment differs.
      await session.open('about:blank')
      await session.open(url)
    },
    run: session.run,
    click: async (target) => void (await session.click(await aim(target))),
    fill: async (target, text) => {
      const element = await aim(target)
      await session.clear(element)
      await session.type(element, text)
    },
    read: () => session.run(readText),
    picture: async (path) => writeFile(path, await session.picture()),
    setOffline: () => Promise.reject(new NotPossible('WebDriver cannot cut the network')),
  }
}
