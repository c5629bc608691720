import type { Page } from '@playwright/test'
import { markLead } from '../../../server/inbox/leads/change-lead.ts'
import {
  answerBox,
  ben,
  choose,
  expect,
  heading,
  press,
  row,
  test,
  waitForApplication,
  waitForKeys,
} from './test.ts'

const selected = (page: Page) => page.getByRole('region', { name: 'Selected requests' })
const undone = (page: Page) => expect(page.getByText('undone.')).toBeVisible()

for (const width of [390, 1280])
  test(`at ${width} px, after an action the next request opens, "Undo" leads back, and after the last one comes the list`, async ({
    page,
    site,
  }) => {
    await page.setViewportSize({ width, height: 780 })
    await page.goto('/inbox')
    await row(page, 'Dana Whitfield').click()
    await choose(page, 'Lost')
    await expect(heading(page, 'Joanna Brandt-Featherstonehaugh')).toBeFocused()
    await press(page, 'Undo')
    await expect(heading(page, 'Dana Whitfield')).toBeFocused()
    await undone(page)
    await press(page, 'Reply')
    await answerBox(page).fill('Yes')
    await press(page, 'Send')
    await expect(heading(page, 'Joanna Brandt-Featherstonehaugh')).toBeVisible()
    await choose(page, 'I answered elsewhere…')
    await press(page, 'Now')
    await expect(heading(page, 'Priya Raman')).toBeFocused()
    await choose(page, 'Follow up on…')
    await page.getByRole('button', { name: /Next workday/ }).click()

    await expect(page).toHaveURL('/inbox')
    await expect(page.getByText('Priya Raman: follow-up set')).toBeVisible()
    await page.getByRole('link', { name: 'Priya Raman' }).last().click()
    await expect(page).toHaveURL(await site.path('Priya'))
    await page.goBack()
    await expect(page).toHaveURL('/inbox')
  })

test('the next request stays closed if the owner has turned that off on this device', async ({
  page,
  site,
}) => {
  await page.goto('/inbox/access')
  await page.getByLabel('After an action, open the next request').uncheck()
  await page.goto(await site.path('Dana'))
  await choose(page, 'Lost')
  await expect(page.getByText('marked as lost')).toBeVisible()
  await expect(heading(page, 'Dana Whitfield')).toBeVisible()
})

test('a failure names the request, leads to it, and goes away when it is repaired; other notices only cover it', async ({
  page,
  context,
}) => {
  await context.grantPermissions(['clipboard-write'])
  await page.goto('/inbox')
  await page.route('**/state', (route) => route.abort(), { times: 1 })
  await row(page, 'Dana Whitfield').click()
  await choose(page, 'Lost')
  const failure = page.getByText('Dana Whitfield: not changed. The server cannot be reached.')
  await expect(failure).toBeVisible()
  await choose(page, 'Copy everything')
  await expect(page.getByText('Copied.')).toBeVisible()
  await expect(failure).toHaveCount(0)
  await press(page, 'Dismiss')
  await press(page, 'Try again')

  await expect(page.getByText('Dana Whitfield: marked as lost.')).toBeVisible()
  await press(page, 'Dismiss')
  await expect(failure).toHaveCount(0)
})

const states = (site: { lead: (name: string) => Promise<{ state: string }> }, ...names: string[]) =>
  Promise.all(names.map(async (name) => (await site.lead(name)).state))

test('with the keyboard, several requests are selected, changed, and changed back with one press', async ({
  page,
  site,
}) => {
  await page.goto('/inbox')
  await waitForKeys(page)
  for (const key of ['j', 'j', 'x', 'j', 'j', 'X']) await page.keyboard.press(key)
  await expect(selected(page)).toContainText('3 selected')
  await page.keyboard.press('k')
  await page.keyboard.press('x')
  await expect(selected(page)).toContainText('2 selected')
  await press(page, 'Lost')

  const words = 'Marcus Oyelaran, Joanna Brandt-Featherstonehaugh: marked as lost.'
  await expect(page.getByText(words)).toBeVisible()
  await expect(selected(page)).toHaveCount(0)
  expect(await states(site, 'Marcus', 'Dana', 'Joanna')).toEqual(['lost', 'open', 'lost'])
  await press(page, 'Undo')
  await undone(page)
  expect(await states(site, 'Marcus', 'Dana', 'Joanna')).toEqual(['open', 'open', 'open'])
  await expect(row(page, 'Marcus Oyelaran')).toBeVisible()
})

test('if another owner was faster with one of them, it stays as it is, and a notice names it; a lost response is repeated', async ({
  page,
  site,
}) => {
  await page.goto('/inbox')
  await row(page, 'Marcus Oyelaran').hover()
  await page.getByLabel('Select Marcus Oyelaran').check()
  await row(page, 'Joanna').click({ modifiers: ['Shift'] })
  await expect(selected(page)).toContainText('3 selected')
  const requests: unknown[] = []
  await page.route('**/api/leads/state', async (route) => {
    requests.push(route.request().postData())
    if (requests.length > 1) return route.continue()
    await site.by(ben, 'Dana', markLead, { state: 'won' })
    await route.fetch()
    await route.abort()
  })
  await press(page, 'Spam')

  const faster = 'Not changed, because somebody else was faster: Dana Whitfield.'
  await expect(page.getByText(`marked as spam. ${faster}`)).toBeVisible()
  expect(requests).toHaveLength(2)
  expect(await states(site, 'Marcus', 'Dana', 'Joanna')).toEqual(['spam', 'won', 'spam'])
})

test.describe('on a phone', () => {
  test.use({ hasTouch: true, isMobile: true, viewport: { width: 390, height: 780 } })

  async function pressLong(page: Page, name: string) {
    await waitForApplication(page)
    const { x = 0, y = 0 } = (await row(page, name).boundingBox()) ?? {}
    const touch = await page.context().newCDPSession(page)
    const touchPoints = [{ x: x + 90, y: y + 30 }]
    await touch.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints })
    await expect(selected(page)).toContainText('1 selected')
    await touch.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })
  }

  test('the notice of a change covers no button for the next selection', async ({ page, site }) => {
    await page.goto('/inbox')
    for (const name of ['Dana', 'Joanna']) {
      await pressLong(page, name)
      for (const button of await selected(page).getByRole('button').all()) await button.tap({ trial: true })
      await selected(page).getByRole('button', { name: 'Lost' }).tap()
      await expect(page.getByText('marked as lost.')).toContainText(name)
      await expect(page.locator('main').getByRole('link', { name })).toHaveCount(0)
    }
    expect(await states(site, 'Dana', 'Joanna')).toEqual(['lost', 'lost'])
  })

  test('after a call, one tap says that the person was reached', async ({ page, site }) => {
    await page.goto(await site.path('Dana'))
    await page.getByRole('link', { name: /^Call / }).tap()
    await expect(page.getByRole('dialog', { name: 'Did you reach Dana Whitfield?' })).toBeVisible()
    await expect(page.getByLabel('By phone')).toBeChecked()
    await page.getByRole('button', { name: 'Now', exact: true }).tap()

    await expect(page.getByText('marked as answered')).toBeVisible()
    await expect.poll(async () => (await site.lead('Dana')).state).toBe('answered')
  })

  test('a long press selects a request, a tap adds another, and no press opens one', async ({
    page,
    site,
  }) => {
    await page.goto('/inbox?view=suspects')
    await site.arrive('Sam', 'Spammer')
    await site.db.updateTable('leads').set({ spam_score: 12 }).where('first_name', '=', 'Sam').execute()
    await page.reload()
    await pressLong(page, 'Robert Smith')
    await row(page, 'Sam Spammer').tap()
    await expect(selected(page)).toContainText('2 selected')
    await page.getByRole('button', { name: 'Spam', exact: true }).tap()

    await expect(page.getByText('No suspects.')).toBeVisible()
    await expect(page).toHaveURL('/inbox?view=suspects')
    expect(await states(site, 'Robert', 'Sam')).toEqual(['spam', 'spam'])
  })
})
