import type { Page } from '@playwright/test'
import { choose, expect, heading, openReply, press, row, test } from './test.ts'

const pressWithKeyboard = async (page: Page, name: string) => {
  await page.getByRole('button', { name, exact: true }).focus()
  await page.keyboard.press('Enter')
}

test('a notice that the owner closes moves focus to what it was about, and one that disappears by itself does not', async ({
  page,
  site,
}) => {
  await page.goto(await site.path('Dana'))
  const dismiss = page.getByRole('button', { name: 'Dismiss' })
  const won = () => choose(page, 'Won: the job is ours')

  await test.step('"Undo" and "Dismiss" move focus to the request', async () => {
    await won()
    await pressWithKeyboard(page, 'Undo')
    await expect(heading(page, 'Dana Whitfield')).toBeFocused()
    await dismiss.click()
    await won()
    await pressWithKeyboard(page, 'Dismiss')
    await expect(heading(page, 'Dana Whitfield')).toBeFocused()
  })

  await test.step('a notice that disappears by itself does not move focus', async () => {
    await choose(page, 'Copy everything')
    await dismiss.waitFor()
    await page.evaluate(() => (document.activeElement as HTMLElement).blur())
    await page.mouse.move(0, 0)
    await page.clock.runFor(13_000)
    await expect(dismiss).toHaveCount(0)
    expect(await page.evaluate(() => document.activeElement?.localName)).toBe('body')
  })

  await test.step('"Dismiss" above the list moves focus to the list', async () => {
    await choose(page, 'Copy everything')
    await page.getByRole('link', { name: 'Inbox' }).click()
    // Beside a lead, the list's heading has a lower level.
    await page.getByRole('heading', { name: 'Open requests', level: 1 }).waitFor()
    await pressWithKeyboard(page, 'Dismiss')
    await expect(heading(page, 'Open requests')).toBeFocused()
  })
})

test('once the owner closes a reply that an undo opened, reloading or going back does not reopen it', async ({
  page,
  site,
}) => {
  const url = `${await site.path('Dana')}?view=all`
  await page.goto(url)
  const sheet = page.getByRole('dialog')
  await press(page, 'Reply')
  await press(page, 'Send')
  await press(page, 'Undo')
  await expect(sheet).toBeVisible()
  await expect(page).toHaveURL(url)
  await press(page, 'Close')

  await page.reload()
  await expect(page.getByRole('button', { name: 'Reply' })).toBeVisible()
  await expect(sheet).toHaveCount(0)

  await row(page, 'Marcus Oyelaran').click()
  await expect(heading(page, 'Marcus Oyelaran')).toBeVisible()
  await page.goBack()
  await expect(heading(page, 'Dana Whitfield')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Reply' })).toBeVisible()
  await expect(sheet).toHaveCount(0)
})

test('on a phone and on a wide screen, an open sheet repeats the warnings that it covers, and they are announced only once', async ({
  page,
  context,
  site,
}) => {
  await page.setViewportSize({ width: 390, height: 780 })
  await site.signIn(context, { minutesAgo: 30 * 24 * 60 - 1, seenMinutesAgo: 1 })
  await openReply(page, site)
  const sheet = page.getByRole('dialog')
  await expect(sheet.getByText("You'll be signed out in about a minute.")).toBeVisible()
  await expect(sheet.getByText(/out of date/)).toHaveCount(0)
  await context.setOffline(true)
  for (const width of [390, 1280]) {
    await page.setViewportSize({ width, height: 780 })
    await expect(sheet.getByText('Offline: this page may be out of date')).toBeVisible()
    await expect(sheet.getByText("You'll be signed out in about a minute.")).toBeVisible()
  }

  await expect(
    sheet.locator(':is([role=status], [role=alert]) :is([role=status], [role=alert])'),
  ).toHaveCount(0)
  await expect(sheet.getByRole('status').filter({ hasText: 'Offline' })).toHaveCount(1)
})
