import type { Page } from '@playwright/test'
import { close, send } from '#brand/words/form.ts'
import { entries, menu } from '#brand/words/header.ts'
import { another } from '#brand/words/outcome.ts'
import { brand } from '#facts/brand.ts'
import { portfolio } from '#facts/portfolio.ts'
import { violationsInBothThemes } from './axe.ts'
import { findFaintControls, findMoving, findOverflow, focusState, setTextSize } from './look.ts'
import {
  confirmation,
  expect,
  failedNotice,
  failOnce,
  fillIn,
  invalidFields,
  open,
  openLaidOut,
  sample,
  sendButton,
  sentToast,
  test,
  waitForHydration,
} from './test.ts'

const samples = portfolio.filter(({ url }) => url.startsWith('/'))

const states: Record<string, (page: Page) => Promise<unknown>> = {
  ...Object.fromEntries(samples.map(({ title, url }) => [title, (page: Page) => page.goto(url)])),
  'the 404 page': (page) => openLaidOut(page, '/no-such-page'),
  'the page': async (page) => {
    await openLaidOut(page)
    await waitForHydration(page)
    expect(await findFaintControls(page)).toEqual([])
  },
  'on a phone, with field errors': async (page) => {
    await page.setViewportSize({ width: 360, height: 740 })
    await sendButton(page).click()
    await expect(invalidFields(page)).toHaveCount(4)
  },
  'after a failed request': async (page) => {
    await failOnce(page)
    await fillIn(page, { Email: 'ada@gmial.com' })
    await sendButton(page).click()
    await expect(failedNotice(page)).toBeVisible()
  },
  'after sending': async (page) => {
    await sendButton(page).click()
    await expect(confirmation(page)).toBeVisible()
    // Nothing moves with reduced motion, which also means that axe never checks a half-faded
    // notice.
    expect(await findMoving(page)).toEqual([])
    await expect(page.locator('html')).toHaveCSS('scroll-behavior', 'auto')
  },
  'with the menu open': async (page) => {
    await page.getByRole('button', { name: close }).click()
    await page.getByRole('banner').getByRole('button', { name: menu }).click()
    await expect(page.getByRole('banner').getByRole('link', { name: entries.pricing })).toBeVisible()
  },
  'after the server rejects the form': async (page) => {
    // `submit()` skips the browser's validation, so the empty form reaches the server, which
    // rejects it.
    await page.locator('form').evaluate((form: HTMLFormElement) => form.submit())
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Your request was not sent')
  },
}

test('axe finds nothing in any state, no control is faint, nothing moves', async ({
  page,
  browserErrors,
}) => {
  const found: Record<string, string[]> = {}
  for (const [name, reach] of Object.entries(states)) {
    await reach(page)
    found[name] = await violationsInBothThemes(page)
  }
  expect(Object.values(found).flat(), JSON.stringify(found)).toEqual([])
  browserErrors.length = 0
})

/**
 * Moves the focus to the next element, and waits until it is visible (WCAG 2.4.11): a tooltip can
 * move the page a moment later.
 */
async function tab(page: Page, key = 'Tab') {
  await page.keyboard.press(key)
  let focused = await focusState(page)
  await expect(async () => {
    if (!focused.isVisible) focused = await focusState(page)
    expect(focused).toMatchObject({ isVisible: true, hasRing: true })
  }).toPass({ timeout: 10_000 })
  return focused
}

test('a visitor can send a request using only the keyboard', async ({ page, site }) => {
  const { 'First name': firstName, 'Last name': lastName, Email: email, Message: message } = sample
  const texts = { firstName, lastName, email, message }
  for (const width of [360, 1280]) {
    await page.setViewportSize({ width, height: 740 })
    await open(page)
    let tabs = 1
    for (let focused = await tab(page); focused.text !== send && tabs < 90; tabs++) {
      if (focused.text === another) {
        await page.keyboard.press('Enter')
        focused = await focusState(page)
      }
      const text = texts[focused.name as keyof typeof texts]
      if (text) await page.keyboard.insertText(text)
      focused = await tab(page)
    }
    await page.keyboard.press('Enter')
    await expect(sentToast(page)).toBeVisible()
    expect(await site.leads('Ada')).toHaveLength(width === 360 ? 1 : 2)

    // The toast stays until it is dismissed, so it must not cover focused elements.
    for (let presses = 0; presses < 14; presses++) await tab(page, 'Shift+Tab')
    await page.locator('footer a').last().focus()
    expect(await focusState(page)).toMatchObject({ isVisible: true })
    await page.getByRole('button', { name: close }).focus()
    await page.keyboard.press('Escape')
    await expect(sentToast(page)).toBeHidden()
    await expect(confirmation(page)).toBeFocused()
  }
})

/** Words that are on two lines, although they have no hyphen. Long ones of an address may break. */
const findBrokenWords = (page: Page) =>
  page.evaluate((address) => {
    const broken: string[] = []
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    for (let node = texts.nextNode(); node; node = texts.nextNode()) {
      if (node.parentElement?.closest('svg, [hidden], noscript')) continue
      for (const { 0: word, index } of (node.textContent ?? '').matchAll(/[\p{L}\p{N}]{2,}/gu)) {
        const range = document.createRange()
        range.setStart(node, index)
        range.setEnd(node, index + word.length)
        const lines = new Set([...range.getClientRects()].map(({ top }) => Math.round(top)))
        const isLong = word.length > 12 && address.includes(word)
        if (lines.size > 1 && !isLong) broken.push(word)
      }
    }
    return broken
  }, brand.email)

test('in small windows and large text, nothing is cut off or silent', async ({ page, browserErrors }) => {
  // Equivalent to a window of 1280 x 1024 at 400% zoom.
  await page.setViewportSize({ width: 320, height: 256 })
  for (const { url } of portfolio) {
    await page.goto(url)
    expect(await findOverflow(page, '[popover]'), url).toEqual([])
  }
  for (const path of ['/no-such-page', '/']) {
    await page.setViewportSize({ width: 320, height: 256 })
    await setTextSize(page, 16)
    await openLaidOut(page, path)
    expect(await findOverflow(page, '[popover]'), path).toEqual([])
    await setTextSize(page, 32)
    for (const width of [320, 390]) {
      await page.setViewportSize({ width, height: 740 })
      expect(await findOverflow(page, '[popover]'), `${path} at ${width} px`).toEqual([])
      expect(await findBrokenWords(page), `${path} at ${width} px`).toEqual([])
    }
  }
  await waitForHydration(page)
  await fillIn(page)
  await failOnce(page)
  for (const notice of [failedNotice(page), sentToast(page)]) {
    await sendButton(page).click()
    await expect(notice).toBeVisible()
    // A screen reader announces what appears in an alert (WCAG 4.1.3).
    await expect(page.getByRole('alert')).toHaveCount(1)
    expect(await findOverflow(page, '[popover]')).toEqual([])
    for (let presses = 0; presses < 14; presses++) await tab(page, 'Shift+Tab')
  }
  browserErrors.length = 0
})
