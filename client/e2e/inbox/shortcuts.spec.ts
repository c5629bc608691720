import { expect, pageTest as test } from '../test.ts'
import { fakeInbox, waitForApplication } from './fake-inbox.ts'

test('shortcuts move through the list, open leads, and focus the search field, but do nothing while the owner is typing or has turned them off', async ({
  page,
}) => {
  await fakeInbox(page)
  const searchField = page.getByLabel('Search all requests')
  const answer = page.getByLabel('Your answer')
  await page.goto('/inbox')
  await waitForApplication(page)

  // Dana is third in the list.
  for (let presses = 0; presses < 3; presses++) await page.keyboard.press('j')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL('/inbox/Q-7K3M-9QXD')
  await expect(page.getByRole('button', { name: 'Reply' })).toBeVisible()
  await page.keyboard.press('r')
  await expect(answer).toBeFocused()
  await page.keyboard.type('jku/?')
  await expect(answer).toHaveValue(/jku\/\?/)
  await page.keyboard.press('Escape')
  await page.keyboard.press('u')
  await expect(page).toHaveURL('/inbox')
  await page.keyboard.press('/')
  await expect(searchField).toBeFocused()

  await test.step('shortcuts can be turned off', async () => {
    await searchField.blur()
    await page.keyboard.press('?')
    await page.getByLabel('Shortcuts are on').uncheck()
    await page.getByRole('button', { name: 'Close' }).click()
    await page.keyboard.press('?')
    await page.keyboard.press('/')
    await expect(page.getByRole('dialog')).toHaveCount(0)
    await expect(searchField).not.toBeFocused()
  })
})
