import { expect, forgetFailedRequests, pageTest as test } from '../test.ts'
import { fakeInbox } from './fake-inbox.ts'
import { newLead } from './new-lead.ts'

declare global {
  interface Window {
    statuses: string[]
  }
}

/** Records every text that the page's status has had. */
function recordStatuses() {
  window.statuses = []
  const record = () => {
    const text = document.querySelector('header [role=status]')?.textContent
    if (text != null && window.statuses.at(-1) !== text) window.statuses.push(text)
  }
  new MutationObserver(record).observe(document, { childList: true, subtree: true, characterData: true })
}

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
    await expect(page.getByRole('link', { name: /Nora New/ })).toBeVisible({ timeout: 5000 })
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

for (const width of [320, 390, 1440])
  test(`at ${width} px, the first connection is not shown as a loss, and a real loss moves nothing`, async ({
    page,
    context,
    browserErrors,
  }) => {
    await page.setViewportSize({ width, height: 780 })
    await fakeInbox(page)
    await page.addInitScript(recordStatuses)
    await page.goto('/inbox')
    const status = page.locator('header [role=status]')
    const boxes = () =>
      page
        .locator('header > :not([role=status]), main')
        .evaluateAll((all) => all.map((element) => JSON.stringify(element.getBoundingClientRect())))
    await expect(status).toHaveText('Live')
    await page.evaluate(() => document.fonts.ready)
    const [seen, before] = [await page.evaluate(() => window.statuses), await boxes()]

    await context.setOffline(true)
    await expect(status).toHaveText('Offline: this page may be out of date')

    expect(seen.filter((text) => text !== '' && text !== 'Live')).toEqual([])
    expect(await boxes()).toEqual(before)
    forgetFailedRequests(browserErrors)
  })
