import { chromium, type Locator, type Page } from '@playwright/test'
import { chromiumFlags, findChromium } from '../../testing/find-chromium.ts'
import { sampleRequest } from '../../testing/sample-request.ts'

const CPU_SLOWDOWN = 4
const PHONE = { viewport: { width: 360, height: 740 }, isMobile: true, hasTouch: true }
// The time that a fast typist takes from one key to the next.
const KEY_MS = 100
const TOUCH_MS = 80
// Time for smooth scrolling to end, and for the browser to report the interaction, which it does after drawing the next
// frame.
const SETTLE_MS = 1_000

/** The longest delay from a touch or key to the next frame, in ms. The browser rounds to multiples of 8 ms. */
export type Delays = Record<'menu' | 'typing' | 'submit', number>

/** Opens the menu, types, and submits the form, on a phone-sized page with a throttled CPU. */
export async function timeInteractions(url: string): Promise<Delays> {
  const browser = await chromium.launch({ executablePath: findChromium(), args: chromiumFlags })
  try {
    const page = await (await browser.newContext(PHONE)).newPage()
    await page.addInitScript(watchInteractions)
    await page.goto(url, { waitUntil: 'networkidle' })
    const devtools = await page.context().newCDPSession(page)
    await devtools.send('Emulation.setCPUThrottlingRate', { rate: CPU_SLOWDOWN })
    /** Touches for as long as a finger does. Playwright's tap doesn't pause between press and release. */
    async function touch(target: Locator) {
      const { x, y, width, height } = (await target.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 }
      const touchPoints = [{ x: x + width / 2, y: y + height / 2 }]
      await devtools.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints })
      await page.waitForTimeout(TOUCH_MS)
      await devtools.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })
    }
    const field = (label: string) => page.locator('form').getByLabel(label)

    const menu = await longest(page, async () => {
      await touch(page.getByRole('button', { name: 'Menu' }))
      await page.getByRole('dialog').or(page.locator('[popover]')).first().waitFor()
      await page.keyboard.press('Escape')
    })
    await field('First name').fill('Ada')
    await field('Last name').fill('Lovelace')
    await field('Email').fill(sampleRequest().email)
    const typing = await longest(page, () =>
      field('Message').pressSequentially('We need a new site.', { delay: KEY_MS }),
    )
    const button = page.locator('form button[type=submit]')
    await button.scrollIntoViewIfNeeded()
    const submit = await longest(page, async () => {
      await touch(button)
      await page
        .getByText(/Q-\w{4}-\w{4}/)
        .first()
        .waitFor()
    })
    return { menu, typing, submit }
  } finally {
    await browser.close()
  }
}

declare global {
  interface Window {
    interactions: number[]
  }
}

/** Runs in the page. */
function watchInteractions() {
  window.interactions = []
  const observer = new PerformanceObserver((entries) => {
    for (const entry of entries.getEntries() as (PerformanceEventTiming & { interactionId: number })[])
      if (entry.interactionId > 0) window.interactions.push(entry.duration)
  })
  // The lowest threshold that browsers allow. They don't report faster interactions, so `longest` counts those as 16 ms.
  observer.observe({ type: 'event', durationThreshold: 16, buffered: true } as PerformanceObserverInit)
}

async function longest(page: Page, interact: () => Promise<unknown>): Promise<number> {
  await page.waitForTimeout(SETTLE_MS)
  await page.evaluate(() => {
    window.interactions = []
  })
  await interact()
  await page.waitForTimeout(SETTLE_MS)
  return Math.max(16, ...(await page.evaluate(() => window.interactions)))
}
