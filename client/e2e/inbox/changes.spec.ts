import type { Locator, Page } from '@playwright/test'
import { markLead } from '../../../server/leads/change/mark-lead.ts'
import { hold } from '../test.ts'
import { ben, choose, expect, heading, openLead, press, row, stayOnLead, test, writeAgain } from './test.ts'

test.beforeEach(({ context }) => stayOnLead(context))

const shown = (page: Page, state: string) => page.locator(`main article [data-state=${state}]`)

test('a change shows at once, and is not undone after one of another owner', async ({ page, site }) => {
  const sent: string[] = []
  page.on('request', (request) => sent.push(/\/(?:state|result)$/.exec(request.url())?.[0] ?? ''))
  await openLead(page, site, 'Dana')
  const release = await hold(page, '**/state')
  await choose(page, 'I answered elsewhere…')
  await press(page, 'Now')
  await expect(shown(page, 'answered')).toBeVisible()
  await choose(page, 'Won the job')
  await expect(shown(page, 'won')).toBeVisible()
  await expect(row(page, 'Dana Whitfield')).toContainText('Won')
  await expect(page.getByText('Saving…')).toBeVisible()
  expect(sent.filter(Boolean)).toEqual(['/state'])
  release()
  await expect.poll(() => site.lead('Dana')).toMatchObject({ state: 'answered', result: 'won', version: 2 })
  await expect(page.getByText('Live', { exact: true })).toBeVisible()
  await expect(page.getByText('By email, ')).toBeVisible()

  await site.by(ben, 'Dana', markLead, { state: 'open' })
  await expect(shown(page, 'open')).toBeVisible()
  await expect(shown(page, 'won')).toBeVisible()
  await press(page, 'Undo')
  await expect(page.getByText('not changed, because something new has happened there.')).toBeVisible()
  await expect(shown(page, 'open')).toBeVisible()
  await choose(page, 'Not won after all')
  await expect(page.getByText('no longer won or lost.')).toBeVisible()
  await expect.poll(() => site.lead('Dana')).toMatchObject({ state: 'open', result: null })
})

const pressWithKeyboard = async (page: Page, name: string) => {
  await page.getByRole('button', { name, exact: true }).focus()
  await page.keyboard.press('Enter')
}

test('a notice hands the focus on if it is closed, not if it ends', async ({ page, context, site }) => {
  // The headless shell allows copying only with this permission.
  await context.grantPermissions(['clipboard-write'])
  await openLead(page, site, 'Dana')
  const dismiss = page.getByRole('button', { name: 'Dismiss' })
  for (const button of ['Undo', 'Dismiss']) {
    await choose(page, 'Won the job')
    await pressWithKeyboard(page, button)
    await expect(heading(page, 'Dana Whitfield')).toBeFocused()
    if (button === 'Undo') await dismiss.click()
  }

  await choose(page, 'Copy the request')
  await dismiss.waitFor()
  await dismiss.focus()
  await page.clock.runFor(13_000)
  await expect(dismiss).toBeVisible()
  await dismiss.blur()
  await page.getByText('Copied.').hover()
  await page.clock.runFor(13_000)
  await expect(dismiss).toBeVisible()
  await page.mouse.move(0, 0)
  await page.clock.runFor(11_000)
  await expect(dismiss).toBeVisible()
  await page.clock.runFor(2_000)
  await expect(dismiss).toHaveCount(0)
  expect(await page.evaluate(() => document.activeElement?.localName)).toBe('body')
})

test('on a phone, the end of a conversation can be scrolled above a notice, which can be dismissed', async ({
  page,
  site,
}) => {
  await page.setViewportSize({ width: 390, height: 780 })
  await writeAgain(site, 'Dana', 'We need more pages. '.repeat(60))
  await openLead(page, site, 'Dana')
  await choose(page, 'Won the job')
  const end = page.locator('main article ol > li').last()
  await expect(end).toContainText('marked it as won')
  const dismiss = page.getByRole('button', { name: 'Dismiss' })
  /** How far what is fixed is below the end of the conversation, once that is scrolled up. */
  const roomAbove = async (fixed: Locator) => {
    await page.mouse.wheel(0, 10_000)
    const [above, below] = await Promise.all([end.boundingBox(), fixed.boundingBox()])
    return above && below && below.y - above.y - above.height
  }
  await expect.poll(() => roomAbove(dismiss)).toBeGreaterThanOrEqual(0)
  await dismiss.click()
  await expect.poll(() => roomAbove(page.locator('main footer'))).toBeLessThan(40)
})

test('the question whether it is spam hands the focus on', async ({ page, site }) => {
  await openLead(page, site, 'Robert')
  await pressWithKeyboard(page, 'Not spam')
  await expect(heading(page, 'Robert Smith')).toBeFocused()
})
