import { expect, forgetFailedRequests, pageTest as test } from '../test.ts'
import { fakeInbox } from './fake-inbox.ts'
import { newLead } from './new-lead.ts'

test('an open page shows new requests without a reload, or says that it may be out of date', async ({
  page,
  context,
  browserErrors,
}) => {
  const { arrive } = await fakeInbox(page, [])
  await page.goto('/inbox')
  await expect(page.getByText('Nobody is waiting.')).toBeVisible()

  await test.step('a new request appears in the list and is counted in the page title without a reload', async () => {
    await arrive(newLead())
    await expect(page.getByRole('link', { name: /Nora New/ })).toBeVisible({ timeout: 1000 })
    await expect(page).toHaveTitle(/^\(1\) Inbox/)
    await expect(page.getByText('New request from Nora New')).toBeAttached()
  })

  await test.step('on a phone, a new request is announced while another one is open', async () => {
    await page.setViewportSize({ width: 390, height: 780 })
    await page.getByRole('link', { name: /Nora New/ }).click()
    await expect(page.getByRole('heading', { name: 'Nora New' })).toBeVisible()
    await arrive({ ...newLead(), reference: 'Q-NEW2-LEAD', name: 'Nils Newer' })
    await expect(page.getByRole('status').filter({ hasText: 'New request from Nils Newer' })).toBeAttached()
  })

  await test.step('without a connection to the server, the page says that it may be out of date', async () => {
    await expect(page.getByText('Live', { exact: true })).toBeVisible()
    await context.setOffline(true)
    await expect(page.getByText('Offline: this page may be out of date')).toBeVisible({ timeout: 1000 })
  })
  forgetFailedRequests(browserErrors)
})
