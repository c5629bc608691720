import { expect, pageTest as test } from '../test.ts'
import { fakeInbox } from './fake-inbox.ts'

test('while a search cannot find every request yet, a notice says so', async ({ page }) => {
  const { state } = await fakeInbox(page)
  state.isSearchPartial = true
  await page.goto('/inbox')

  await page.getByLabel('Search all requests').fill('whitfield')
  const notice = page.getByText("Some requests can't be found yet")
  await expect(notice).toBeVisible()

  state.isSearchPartial = false
  await page.evaluate(() => window.dispatchEvent(new Event('fake-change')))
  await expect(notice).toHaveCount(0)
})
