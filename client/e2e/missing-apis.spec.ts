import type { Page } from '@playwright/test'
import * as header from '#brand/words/header.ts'
import { getStarted } from '#brand/words/pricing.ts'
import { plans } from '#facts/plans.ts'
import { samplePlan } from '../../server/proof/testing/sample-plan.ts'
import { answerBox, press, row, test, waitForInbox } from './inbox/test.ts'
import { newerApis } from './newer-apis.ts'
import { confirmation, expect, fieldOf, fillIn, invalidFields, open, sendButton } from './test.ts'

test.use({ viewport: { width: 390, height: 780 } })

/** Removes APIs before any script of the page runs. */
const remove = (page: Page, apis: string[]) =>
  page.addInitScript((apis) => {
    for (const api of apis) {
      const path = api.split('.')
      const name = path.pop() as string
      // biome-ignore lint/suspicious/noExplicitAny: the paths lead to objects of many types.
      const owner = path.reduce((object: any, part) => object?.[part], globalThis)
      // On plain http, Chromium lacks some of them, too.
      if (!owner || !(name in owner)) continue
      delete owner[name]
      if (name in owner) Object.defineProperty(Object.getPrototypeOf(owner), name, { value: undefined })
    }
  }, apis)

/**
 * Makes Chromium treat popovers as a browser without them does: nothing opens them, and their
 * selector is invalid.
 */
const removePopovers = (page: Page) =>
  page.addInitScript(() => {
    const prevent = (event: Event) =>
      (event.target as Element).hasAttribute('popover') && event.preventDefault()
    addEventListener('beforetoggle', prevent, true)
    for (const { prototype } of [Element, Document])
      for (const name of ['matches', 'closest', 'querySelector', 'querySelectorAll'] as const) {
        const original = (prototype as Element)[name] as (selector: string) => unknown
        if (!original) continue
        Object.defineProperty(prototype, name, {
          value(this: Element, selector: string) {
            if (selector.includes(':popover-open')) throw new DOMException(selector, 'SyntaxError')
            return original.call(this, selector)
          },
        })
      }
    addEventListener('DOMContentLoaded', () => {
      for (const sheet of document.styleSheets)
        for (const rule of [...sheet.cssRules].reverse())
          if (rule instanceof CSSSupportsRule && rule.conditionText.includes('popover-open'))
            for (const inner of [...rule.cssRules].reverse()) sheet.insertRule(inner.cssText, 0)
      const [sheet] = document.styleSheets
      sheet?.insertRule('[popover][data-open] { display: block }', sheet.cssRules.length)
    })
  })

// They are Safari 15.4, Firefox 115 and Chrome 105.
test('page and inbox work without any API that a supported browser lacks', async ({ page, site }) => {
  await remove(page, Object.keys(newerApis))
  await removePopovers(page)
  await open(page)
  const entry = page.getByRole('banner').getByRole('link', { name: header.entries.pricing, exact: true })
  await expect(entry).toBeHidden()
  const menu = page.getByRole('button', { name: header.menu })
  for (const close of [
    () => menu.click(),
    () => page.keyboard.press('Escape'),
    () => page.mouse.click(4, 600),
    () => sendButton(page).focus(),
  ]) {
    await menu.click()
    await expect(entry).toBeVisible()
    await expect(menu).toHaveAttribute('aria-expanded', 'true')
    await close()
    await expect(entry).toBeHidden()
    await expect(menu).toHaveAttribute('aria-expanded', 'false')
  }
  await menu.click()
  await entry.click()
  await expect(entry).toBeHidden()
  await page.getByRole('link', { name: getStarted }).first().click()
  await expect(fieldOf(page, 'Budget')).toHaveValue(plans[0].id)
  await sendButton(page).click()
  await expect(invalidFields(page)).toHaveCount(4)
  await fillIn(page)
  await sendButton(page).click()
  await expect(confirmation(page)).toBeFocused()
  expect(await site.lead('Ada')).toMatchObject({ budget: samplePlan.id })

  await page.goto('/inbox')
  await waitForInbox(page)
  const figures = page.getByRole('link', { name: 'Figures' })
  await expect(figures).toBeHidden()
  await press(page, 'Menu')
  await figures.click()
  await expect(page).toHaveURL(/figures$/)
  await expect(figures).toBeHidden()
  const dana = await site.path('Dana')
  await page.goto('/inbox')
  await row(page, 'Dana Whitfield').click()
  await expect(page).toHaveURL(dana)
  await press(page, 'Done')
  await expect(page.getByRole('button', { name: 'Won the job' })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('button', { name: 'Won the job' })).toBeHidden()
  await page.keyboard.press('k')
  await expect(page).not.toHaveURL(dana)
  await press(page, 'Reply')
  await answerBox(page).fill('Yes.')
  // The button learns of what was typed a moment later.
  await expect(page.getByRole('button', { name: 'Send', exact: true })).toBeEnabled()
  await page.keyboard.press('Control+Enter')
  await expect(page.getByText('Sending your answer')).toBeVisible()
})

/** What a browser does that stores nothing, or that has no room left. */
const storages = {
  'stores nothing': () => {
    const refuse = () => {
      throw new DOMException('The operation is insecure.', 'SecurityError')
    }
    for (const name of ['localStorage', 'sessionStorage'])
      Object.defineProperty(window, name, { get: refuse })
  },
  'has no room left': () => {
    Storage.prototype.setItem = () => {
      throw new DOMException('The quota has been exceeded.', 'QuotaExceededError')
    }
  },
}
for (const [how, change] of Object.entries(storages))
  test(`the inbox works if the browser ${how}`, async ({ page, site, browserErrors }) => {
    await page.addInitScript(change)
    await page.goto(await site.path('Dana'))
    await expect(page.getByRole('button', { name: 'Reply' })).toBeVisible()
    await page.keyboard.press('r')
    await answerBox(page).fill('Yes.')
    await page.getByRole('button', { name: 'Send', exact: true }).click()
    await expect(page.getByText('Sending your answer')).toBeVisible()
    // The next request has opened.
    await expect(page).not.toHaveURL(await site.path('Dana'))
    // The fonts can't be kept for the next visit.
    expect(browserErrors.splice(0).length).toBeLessThanOrEqual(2)
  })
