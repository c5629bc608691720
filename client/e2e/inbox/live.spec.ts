import { expect, pageTest as test } from '../test.ts'
import { fakeInbox } from './fake-inbox.ts'
import { newLead } from './new-lead.ts'

const dana = '/inbox/Q-7K3M-9QXD'

test('a new request appears in the list and is counted in the page title without a reload', async ({
  page,
}) => {
  const inbox = await fakeInbox(page, [])
  await page.goto('/inbox')
  await expect(page.getByText('Nobody is waiting.')).toBeVisible()

  await inbox.arrive(newLead())

  await expect(page.getByRole('link', { name: /Nora New/ })).toBeVisible({ timeout: 1000 })
  await expect(page).toHaveTitle(/^\(1\) Inbox/)
  await expect(page.getByText('New request from Nora New')).toBeAttached()
})

test('on a phone, a new request is announced while another one is open', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 780 })
  const { arrive } = await fakeInbox(page)
  await page.goto(dana)
  // The list is hidden, but it must have loaded first: only requests that arrive later are announced.
  await expect(page.locator('[data-row]')).not.toHaveCount(0)

  await arrive(newLead())

  await expect(page.getByRole('status').filter({ hasText: 'New request from Nora New' })).toBeAttached()
})

test('without a connection to the server, the page says that it may be out of date', async ({
  page,
  context,
  browserErrors,
}) => {
  await fakeInbox(page)
  await page.goto('/inbox')
  await expect(page.getByText('Live', { exact: true })).toBeVisible()

  await context.setOffline(true)

  await expect(page.getByText('Offline: this page may be out of date')).toBeVisible({ timeout: 1000 })
  browserErrors.length = 0
})
