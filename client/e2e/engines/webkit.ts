import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { findMiniBrowser } from '../../../server/proof/testing/find-on-path.ts'
import { freePort } from '../../../server/proof/testing/free-port.ts'
import { type Browser, type Engine, findElement, waitFor } from './engine.ts'
import { type ElementReference, newSession, type Session } from './webdriver.ts'

const PAGE_LOAD_TIMEOUT_MS = 20_000

export const webkit: Engine = {
  name: 'WebKitGTK',
  needs: ['webkit'],
  launch: async () => {
    // WebKitGTK has no headless mode, so it gets a virtual screen.
    const screen = start('Xvfb', ['-displayfd', '1', '-screen', '0', '1600x1200x24', '-nolisten', 'tcp'])
    const [number] = await once(screen.stdout, 'data')
    const port = await freePort()
    const driver = start('WebKitWebDriver', [`--port=${port}`], {
      DISPLAY: `:${String(number).trim()}`,
      // WebKitGTK's sandbox and its shared graphics memory don't work in containers.
      WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS: '1',
      WEBKIT_DISABLE_DMABUF_RENDERER: '1',
    })
    const url = `http://127.0.0.1:${port}`
    const isReady = () =>
      fetch(`${url}/status`).then(
        ({ ok }) => ok,
        () => false,
      )
    await waitFor('WebKitWebDriver is ready', isReady)
    const session = await newSession(url, {
      // The default is five minutes.
      timeouts: { pageLoad: PAGE_LOAD_TIMEOUT_MS },
      'webkitgtk:browserOptions': {
        binary: findMiniBrowser(),
        args: ['--automation', '--javascript-can-open-windows-automatically=true'],
      },
    })
    await openBareWindow(session)
    return {
      ...createBrowser(session),
      [Symbol.asyncDispose]: async () => {
        await session.close()
        for (const process of [driver, screen]) process.kill()
      },
    }
  },
}

/** Starts a program, and tells it to stop when this process exits. */
function start(command: string, args: string[], env: Record<string, string> = {}) {
  const child = spawn(command, args, {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  process.once('exit', () => child.kill())
  return child
}

/**
 * Opens a window without a toolbar, whose buttons would keep the window at least 447 px wide, wider
 * than a phone.
 */
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
  const find = (css: string, text = '') =>
    waitFor(
      `${css} "${text}" is visible`,
      async () => (await session.run(findElement, css, text)) as ElementReference | null,
    )
  return {
    resize: async (width, height) => void (await session.resize(width, height)),
    open: async (url) => void (await session.open(url)),
    run: session.run,
    click: async (css, text) => void (await session.click(await find(css, text))),
    fill: async (css, text) => {
      const field = await find(css)
      await session.clear(field)
      await session.type(field, text)
    },
    picture: async (path) => writeFile(path, await session.picture()),
  }
}
