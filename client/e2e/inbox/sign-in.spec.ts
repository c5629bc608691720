import { expect, pageTest as test } from '../test.ts'
import { fakeInbox } from './fake-inbox.ts'

test('when the session ends, typed text is kept', async ({ page, browserErrors }) => {
  const { state } = await fakeInbox(page)
  await page.goto('/inbox/Q-7K3M-9QXD')
  await page.getByRole('button', { name: 'Reply' }).click()
  await page.getByLabel('Your answer').fill('Half an answer')
  state.session = null
  await expect(page.getByRole('heading', { name: 'Please sign in again' })).toBeVisible()

  await page.getByLabel('Your email address').fill('anna@agency.example')
  await page.getByRole('button', { name: 'Email me a code' }).click()
  await page.getByLabel('Code').fill('K7MF-29QX')

  await expect(page.getByRole('heading', { name: 'Please sign in again' })).toBeHidden()
  await expect(page.getByLabel('Your answer')).toHaveValue('Half an answer')
  browserErrors.length = 0
})

test('if a sign-in link was requested in another browser, the page shows its code and removes it from the address bar', async ({
  page,
  browserErrors,
}) => {
  const { state } = await fakeInbox(page)
  state.session = null

  await page.goto('/inbox/sign-in#code=ACDE2345')

  await expect(page.getByText('ACDE-2345')).toBeVisible()
  await expect(page.getByText('Enter this code in the browser where you requested it.')).toBeVisible()
  expect(page.url()).not.toContain('ACDE')
  browserErrors.length = 0
})

test('a sign-in link signs the owner in if it is opened in the browser that requested it', async ({
  page,
  browserErrors,
}) => {
  const { state } = await fakeInbox(page)
  state.session = null

  await page.goto('/inbox/sign-in#code=K7MF29QX')

  await expect(page.getByText('Dana Whitfield')).toBeVisible()
  expect(new URL(page.url()).pathname).toBe('/inbox')
  browserErrors.length = 0
})
