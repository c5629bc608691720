import type { Page } from '@playwright/test'
import { openingOn } from '#shared/office-time.ts'
import { markLead } from '../../../server/leads/change/mark-lead.ts'
import {
  ben,
  expect,
  heading,
  open,
  press,
  row,
  type Site,
  selected,
  test,
  undone,
  writeAgain,
} from './test.ts'

const results = (site: Site, ...names: string[]) =>
  Promise.all(names.map(async (name) => (await site.lead(name)).result))

test('several requests are changed and changed back with one press', async ({ page, site }) => {
  await open(page, '/inbox')
  for (const key of ['j', 'j', 'x', 'j', 'j', 'X']) await page.keyboard.press(key)
  await expect(selected(page)).toContainText('3 selected')
  await page.keyboard.press('k')
  await page.keyboard.press('x')
  await expect(selected(page)).toContainText('2 selected')
  await press(page, 'Later…')
  await expect(page.getByText('Until then, they wait in “Later”.')).toBeVisible()
  await page.getByRole('button', { name: /In a week/ }).click()

  const words = 'Marcus Oyelaran, Joanna Brandt-Featherstonehaugh: follow-up set for Mar 11, '
  await expect(page.getByText(words)).toBeVisible()
  await expect(selected(page)).toHaveCount(0)
  const opens = openingOn('2026-03-11').toISOString()
  const days = () =>
    Promise.all(['Marcus', 'Dana', 'Joanna'].map(async (name) => (await site.lead(name)).follow_up_at))
  expect(await days()).toEqual([opens, null, opens])
  await press(page, 'Undo')
  await undone(page)
  expect(await days()).toEqual([null, null, null])

  await row(page, 'Joanna').hover()
  await page.getByLabel('Select Joanna').check()
  await row(page, 'Marcus Oyelaran').click({ modifiers: ['Shift'] })
  await expect(selected(page)).toContainText('3 selected')
  await row(page, 'Dana Whitfield').click()
  await expect(heading(page, 'Dana Whitfield')).toBeVisible()
  await expect(selected(page)).toContainText('3 selected')
  await press(page, 'Cancel')
  await expect(selected(page)).toHaveCount(0)
})

test('a row that leaves the list and the buttons of a selection hand the focus on', async ({ page }) => {
  await open(page, '/inbox')
  const list = page.getByRole('heading', { name: 'Requests: Open' })
  const select = async (name: string) => {
    await row(page, name).focus()
    await page.keyboard.press('x')
    await expect(selected(page)).toContainText('1 selected')
  }
  await select('Joanna')
  await page.keyboard.press('l')
  await expect(row(page, 'Joanna')).toHaveCount(0)
  await expect(list).toBeFocused()

  for (const button of ['Cancel', 'Lost']) {
    await select('Marcus')
    await selected(page).getByRole('button', { name: button }).focus()
    await page.keyboard.press('Enter')
    await expect(selected(page)).toHaveCount(0)
    await expect(list).toBeFocused()
  }
})

test('what has changed since it was selected gets no follow-up, which the owner is told', async ({
  page,
  site,
}) => {
  const sheet = page.getByRole('dialog', { name: 'Follow up' })
  const chooseTime = async () => {
    await sheet.getByRole('button', { name: /In a week/ }).click()
    await expect(sheet).toHaveCount(0)
    await expect(selected(page)).toHaveCount(0)
    await expect(page.getByRole('heading', { name: 'Requests: Open' })).toBeFocused()
  }
  await open(page, '/inbox')
  for (const name of ['Marcus', 'Joanna']) {
    await row(page, name).focus()
    await page.keyboard.press('x')
  }
  await press(page, 'Later…')
  await writeAgain(site, 'Joanna', 'When could you start?')
  await chooseTime()
  await expect(
    page.getByText(/Joanna [^:]*: not changed, because something new has happened there\./),
  ).toBeVisible()
  await expect.poll(async () => (await site.lead('Marcus')).follow_up_at).not.toBeNull()

  await row(page, 'Dana Whitfield').focus()
  await page.keyboard.press('x')
  await press(page, 'Later…')
  await site.by(ben, 'Dana', markLead, { state: 'answered' })
  await expect(row(page, 'Dana Whitfield')).toHaveCount(0)
  await chooseTime()
  await expect(
    page.getByText('Dana Whitfield: not changed, because something new has happened there.'),
  ).toBeVisible()
  for (const name of ['Joanna', 'Dana']) expect((await site.lead(name)).follow_up_at).toBeNull()
})

test.describe('on a phone', () => {
  test.use({ hasTouch: true, isMobile: true, viewport: { width: 390, height: 780 } })

  async function pressLong(page: Page, name: string) {
    const { x = 0, y = 0 } = (await row(page, name).boundingBox()) ?? {}
    const touch = await page.context().newCDPSession(page)
    const touchPoints = [{ x: x + 90, y: y + 30 }]
    await touch.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints })
    await expect(selected(page)).toContainText('1 selected')
    await touch.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })
  }

  test('only long presses select, and taps add', async ({ page, site }) => {
    await open(page, '/inbox')
    for (const end of ['pointercancel', 'pointerup']) {
      await row(page, 'Joanna').dispatchEvent('pointerdown', { pointerType: 'touch' })
      await row(page, 'Joanna').dispatchEvent(end)
      await page.clock.runFor(600)
      await expect(selected(page)).toHaveCount(0)
    }
    for (const [first, second] of [
      ['Luis', 'Joanna'],
      ['Marcus', 'Priya'],
    ] as const) {
      await pressLong(page, first)
      await row(page, second).tap()
      await expect(selected(page)).toContainText('2 selected')
      for (const button of await selected(page).getByRole('button').all()) await button.tap({ trial: true })
      await selected(page).getByRole('button', { name: 'Lost' }).tap()
      await expect(page.getByText('marked as lost.')).toContainText(first)
      await expect(page.locator('main').getByRole('link', { name: first })).toHaveCount(0)
      expect(await results(site, first, second)).toEqual(['lost', 'lost'])
    }
    await expect(page).toHaveURL('/inbox')

    await open(page, '/inbox?view=all')
    await pressLong(page, 'Joanna')
    await selected(page).getByRole('button', { name: 'Select all' }).tap()
    const all = await page.locator('[data-row]').count()
    await expect(selected(page)).toContainText(`${all} selected`)
    await expect(selected(page).getByRole('button', { name: 'Select all' })).toHaveCount(0)
  })
})
