import type { Page } from '@playwright/test'
import { send } from '#brand/words/form.ts'
import { entries, menu } from '#brand/words/header.ts'
import { brand } from '#facts/brand.ts'
import { portfolio } from '#facts/portfolio.ts'
import { contactPath } from '#shared/contact-request.ts'
import { violations, violationsInEveryMode } from './axe.ts'
import { findFaintControls, findMoving, findOverflow, focusState } from './look.ts'
import {
  confirmation,
  expect,
  failedNotice,
  fillIn,
  pageTest,
  sample,
  sendButton,
  sentToast,
  siteTest as test,
} from './test.ts'

// playwright.config.ts turns animations off, so axe never checks a half-faded toast.
test.describe('axe finds nothing', () => {
  pageTest('on the 404 page', async ({ page, browserErrors }) => {
    await page.goto('/no-such-page')
    // Before this attribute is set, the footer isn't laid out, and axe misplaces some text over it.
    await expect(page.locator('html[data-laid-out]')).toBeAttached()
    expect(await violationsInEveryMode(page)).toEqual([])
    browserErrors.length = 0
  })

  pageTest(
    'on the page, with field errors, after a failed request, and after sending',
    async ({ page, browserErrors }) => {
      await page.goto('/')
      await expect(page.locator('html[data-laid-out]')).toBeAttached()
      expect(await violationsInEveryMode(page)).toEqual([])

      await sendButton(page).click()
      await expect(page.locator('[aria-invalid=true]')).toHaveCount(4)
      expect(await violationsInEveryMode(page)).toEqual([])

      await page.route(`**${contactPath}`, (route) => route.fulfill({ status: 500, body: '' }))
      await fillIn(page)
      await sendButton(page).click()
      await expect(failedNotice(page)).toBeVisible()
      expect(await violationsInEveryMode(page)).toEqual([])

      await page.unroute(`**${contactPath}`)
      await sendButton(page).click()
      await expect(confirmation(page)).toBeVisible()
      expect(await violationsInEveryMode(page)).toEqual([])
      browserErrors.length = 0
    },
  )

  pageTest('with the menu open, or after the server rejects the form', async ({ page, browserErrors }) => {
    await page.setViewportSize({ width: 360, height: 740 })
    await page.goto('/')
    await page.getByRole('banner').getByRole('button', { name: menu }).click()
    await expect(page.getByRole('banner').getByRole('link', { name: entries.pricing })).toBeVisible()
    expect(await violations(page)).toEqual([])
    await page.emulateMedia({ colorScheme: 'dark' })
    expect(await violations(page, ['color-contrast'])).toEqual([])

    // `submit()` skips the browser's validation, so the empty form reaches the server, which rejects it.
    await page.locator('form').evaluate((form: HTMLFormElement) => form.submit())
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Your request was not sent')
    expect(await violationsInEveryMode(page)).toEqual([])
    browserErrors.length = 0
  })
})

for (const width of [360, 1280]) {
  test(`a visitor can send a request using only the keyboard, at ${width} px`, async ({ page, inbox }) => {
    await page.setViewportSize({ width, height: 740 })
    await page.emulateMedia({ reducedMotion: 'reduce' })
    await page.goto('/')
    const labels = new Map(
      Object.entries({ firstName: 'First name', lastName: 'Last name', email: 'Email', message: 'Message' }),
    )
    let tabs = 0
    for (; tabs < 90; tabs++) {
      await page.keyboard.press('Tab')
      let focused = await focusState(page)
      // A tooltip that opens or closes can move the page a moment later.
      const isVisible = async () => {
        focused = await focusState(page)
        return focused.isVisible
      }
      await expect.poll(isVisible).toBe(true)
      const label = labels.get(focused.name ?? '') as keyof typeof sample | undefined
      if (label) await page.keyboard.type(sample[label])
      if (focused.text === send) break
    }
    await page.keyboard.press('Enter')

    await expect(confirmation(page)).toBeVisible()
    await expect.poll(() => inbox.emails.length).toBe(1)
    expect(tabs).toBeGreaterThan(10)

    // The toast stays until it is dismissed, so it must not cover focused elements (WCAG 2.4.11).
    for (let presses = 0; presses < 14; presses++) {
      await page.keyboard.press('Shift+Tab')
      expect(await focusState(page)).toMatchObject({ isVisible: true })
    }
    const last = page.locator('footer a').last()
    await last.focus()
    expect(await focusState(page)).toMatchObject({ isVisible: true })
    await page.locator('.Toastify__close-button').focus()
    await page.keyboard.press('Escape')
    await expect(sentToast(page)).toBeHidden()
    await expect(confirmation(page)).toBeFocused()
  })
}

pageTest(
  'on a phone with double text size, and in a window of 320 x 256, nothing is cut off',
  async ({ page, browserErrors }) => {
    const browser = await page.context().newCDPSession(page)
    // Polls, because the styles below the first view load after the first paint.
    const expectToFit = (path: string) => expect.poll(() => findOverflow(page, '[popover]'), path).toEqual([])
    const samples: string[] = portfolio.map(({ url }) => url)
    for (const path of ['/no-such-page', '/', ...samples]) {
      // Equivalent to a window of 1280 x 1024 at 400% zoom.
      await page.setViewportSize({ width: 320, height: 256 })
      await page.goto(path)
      await expectToFit(path)
      if (samples.includes(path)) continue
      await page.setViewportSize({ width: 360, height: 740 })
      await browser.send('Page.setFontSizes', { fontSizes: { standard: 32 } })
      await page.reload()
      await expect(page.locator('html')).toHaveCSS('font-size', '32px')
      await expectToFit(path)
      await browser.send('Page.setFontSizes', { fontSizes: { standard: 16 } })
    }
    browserErrors.length = 0
  },
)

/** Moves the focus through the whole page. Returns what is focused without being visible (WCAG 2.4.11). */
async function findHiddenStops(page: Page) {
  await page.evaluate(() => (document.activeElement as HTMLElement).blur())
  const hidden: string[] = []
  for (let stops = 0; stops < 90; stops++) {
    await page.keyboard.press('Tab')
    let state = await focusState(page)
    if (state.tag === 'BODY') {
      expect(stops).toBeGreaterThan(15)
      break
    }
    // A tooltip that opens or closes can move the page a moment later.
    for (let looks = 0; looks < 15 && !state.isVisible; looks++) {
      await page.waitForTimeout(200)
      state = await focusState(page)
    }
    if (!state.isVisible) hidden.push(`${state.tag} ${state.text}`)
  }
  return hidden
}

test('with double text size and an open notice on a phone, axe finds nothing, and nothing is cut off, covered or silent', async ({
  page,
  browserErrors,
}) => {
  const browser = await page.context().newCDPSession(page)
  await browser.send('Page.setFontSizes', { fontSizes: { standard: 32 } })
  await page.goto('/')
  await fillIn(page)
  await page.route(`**${contactPath}`, (route) => route.fulfill({ status: 500, body: '' }))
  for (const notice of [failedNotice(page), sentToast(page)]) {
    await sendButton(page).click()
    await expect(notice).toBeVisible()
    // A screen reader announces what appears in an alert (WCAG 4.1.3).
    await expect(page.locator('.Toastify [role=alert]')).toHaveCount(1)
    for (const width of [320, 360, 390]) {
      await page.setViewportSize({ width, height: 740 })
      await expect.poll(() => findOverflow(page, '[popover]'), `at ${width} px`).toEqual([])
      expect(await violations(page), `at ${width} px`).toEqual([])
      expect(await findHiddenStops(page), `at ${width} px`).toEqual([])
    }
    await page.unroute(`**${contactPath}`)
  }
  await browser.send('Page.setFontSizes', { fontSizes: { standard: 16 } })
  browserErrors.length = 0
})

/** Words that are on two lines, although they have no hyphen. */
const findBrokenWords = (page: Page) =>
  page.evaluate(() => {
    const broken: string[] = []
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    for (let node = texts.nextNode(); node; node = texts.nextNode()) {
      if (node.parentElement?.closest('svg, [hidden], noscript')) continue
      for (const { 0: word, index } of (node.textContent ?? '').matchAll(/[\p{L}\p{N}]{2,}/gu)) {
        const range = document.createRange()
        range.setStart(node, index)
        range.setEnd(node, index + word.length)
        const lines = new Set([...range.getClientRects()].map(({ top }) => Math.round(top)))
        if (lines.size > 1) broken.push(word)
      }
    }
    return broken
  })

pageTest('with double text size on a phone, no word is broken', async ({ page }) => {
  const browser = await page.context().newCDPSession(page)
  await browser.send('Page.setFontSizes', { fontSizes: { standard: 32 } })
  await page.goto('/')
  await expect(page.locator('html')).toHaveCSS('font-size', '32px')
  for (const width of [320, 360, 390]) {
    await page.setViewportSize({ width, height: 740 })
    // Addresses may break anywhere.
    const words = async () => (await findBrokenWords(page)).filter((word) => !brand.email.includes(word))
    await expect.poll(words, `at ${width} px`).toEqual([])
  }
  await browser.send('Page.setFontSizes', { fontSizes: { standard: 16 } })
})

pageTest('with reduced motion, nothing moves', async ({ page }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await page.goto('/')
  await fillIn(page)
  await sendButton(page).click()
  await expect(sentToast(page)).toBeVisible()

  expect(await findMoving(page)).toEqual([])
  expect(await page.evaluate(() => getComputedStyle(document.documentElement).scrollBehavior)).toBe('auto')
})

pageTest('with forced colors, every control has a border or underline', async ({ page }) => {
  await page.goto('/')

  expect(await findFaintControls(page)).toEqual([])
})

pageTest('pricing prints on one page, in light colors', async ({ page }) => {
  // US Letter at 96 dpi, with margins of 0.4 inches.
  await page.setViewportSize({ width: 739, height: 979 })
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' })
  await page.goto('/')
  const grid = () =>
    page.locator('html').evaluate((root) => getComputedStyle(root).getPropertyValue('--color-grid'))
  const gridOnPaper = await grid()
  await page.emulateMedia({ media: 'print', colorScheme: 'light' })
  expect(gridOnPaper).toBe(await grid())
  const pricing = page.locator('section#pricing')

  expect((await pricing.boundingBox())?.height).toBeLessThan(979)
  await expect(pricing).toHaveCSS('break-inside', 'avoid')
})
