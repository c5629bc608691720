import type { Page } from '@playwright/test'
import { expect, heading, press, row, test, waitForStream } from './test.ts'

/** Records every text that the page's status has had. */
function recordStatuses() {
  const statuses: string[] = []
  Reflect.set(window, 'statuses', statuses)
  const record = () => {
    const text = document.querySelector('header [role=status]')?.textContent
    if (text && statuses.at(-1) !== text) statuses.push(text)
  }
  new MutationObserver(record).observe(document, { childList: true, subtree: true, characterData: true })
}
const announced = (page: Page, text: string | RegExp) => page.getByRole('status').filter({ hasText: text })

test('a new request moves no row: a line brings it in on top. It is in the title at once, and announced, even beside an open one', async ({
  page,
  site,
}) => {
  await page.goto('/inbox?view=won')
  await expect(row(page, 'Erin Walsh')).toBeVisible()
  await page.getByRole('link', { name: /^Open/ }).click()
  await expect(row(page, 'Dana Whitfield')).toBeVisible()
  await waitForStream(page)
  const [, unread] = /^\((\d+)\)/.exec(await page.title()) ?? []

  const boxes = () =>
    page.locator('[data-row]').evaluateAll((rows) => rows.map((row) => row.getBoundingClientRect().y))
  const before = await boxes()
  await site.arrive('Nora', 'New')
  await expect(page.getByRole('button', { name: '1 new' })).toBeVisible()
  expect(await boxes()).toEqual(before)
  await expect(page).toHaveTitle(new RegExp(`^\\(${Number(unread) + 1}\\) Inbox`))
  await expect(announced(page, 'New request')).toHaveText('New request from Nora New')

  await press(page, '1 new')
  await expect(page.locator('[data-row]').first()).toContainText('Nora New')
  await expect(row(page, 'Nora New')).toBeFocused()
  await row(page, 'Nora New').click()
  await expect(heading(page, 'Nora New')).toBeVisible()
  await site.arrive('Nils', 'Newer')
  await expect(announced(page, 'New request from Nils Newer')).toBeAttached()
})

test('the first connection is not shown as a loss, and a real loss moves nothing', async ({
  page,
  context,
}) => {
  await page.addInitScript(recordStatuses)
  await page.goto('/inbox')
  const status = page.locator('header [role=status]')
  const boxesAt = async (width: number) => {
    await page.setViewportSize({ width, height: 780 })
    return page
      .locator('header > :not([role=status]), main')
      .evaluateAll((all) => all.map((element) => JSON.stringify(element.getBoundingClientRect())))
  }
  await expect(status).toHaveText('Live')
  await page.waitForFunction(() => document.documentElement.dataset.webFonts !== undefined)
  expect(await page.evaluate(() => Reflect.get(window, 'statuses'))).toEqual(['Live'])
  const before = [await boxesAt(320), await boxesAt(1440)]

  await context.setOffline(true)
  await expect(status).toHaveText('Offline: this page may be out of date')

  expect([await boxesAt(320), await boxesAt(1440)]).toEqual(before)
})

test('while the server restarts, an open inbox says that it may be out of date, and then shows what has happened since', async ({
  page,
  site,
}) => {
  await page.goto('/inbox')
  await waitForStream(page)

  await site.restart({}, async () => {
    await expect(page.getByText('Reconnecting: this page may be out of date')).toBeVisible()
    await site.arrive('Nora', 'New')
  })

  await press(page, '1 new')
  await expect(row(page, 'Nora New')).toBeVisible()
  await waitForStream(page)
})
