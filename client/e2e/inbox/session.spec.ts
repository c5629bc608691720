import type { Page } from '@playwright/test'
import { expect, pageTest as test } from '../test.ts'
import { fakeInbox } from './fake-inbox.ts'
const dana = '/inbox/Q-7K3M-9QXD'
const endedDialog = (page: Page) => page.getByRole('dialog', { name: 'Please sign in again' })

/** Shows a lead, and the dialog after its session has ended. */
async function endSession(page: Page) {
  const { state } = await fakeInbox(page)
  await page.goto(dana)
  await expect(page.getByRole('button', { name: 'Reply' })).toBeVisible()
  state.session = null
  await page.clock.runFor(31_000)
  await expect(endedDialog(page)).toBeVisible()
}

const isModal = (page: Page) => endedDialog(page).evaluate((dialog) => dialog.matches(':modal'))

test('after the session has ended, Escape does not close its dialog', async ({ page, browserErrors }) => {
  await endSession(page)
  await endedDialog(page).evaluate((dialog) =>
    dialog.addEventListener('close', () => dialog.setAttribute('data-closed', '')),
  )

  for (let times = 0; times < 10; times++) await page.keyboard.press('Escape')

  await expect(endedDialog(page)).not.toHaveAttribute('data-closed')
  expect(await isModal(page)).toBe(true)
  browserErrors.length = 0
})

test('in a browser that closes the dialog anyway, it opens again', async ({ page, browserErrors }) => {
  await endSession(page)
  await page.getByLabel('Your email address').fill('anna@plumbline.example')
  await endedDialog(page).evaluate((dialog) => dialog.removeAttribute('closedby'))

  for (let times = 0; times < 10; times++) await page.keyboard.press('Escape')

  await expect.poll(() => isModal(page)).toBe(true)
  await expect(page.getByLabel('Your email address')).toHaveValue('anna@plumbline.example')
  browserErrors.length = 0
})
