import type { Page } from '@playwright/test'
import { expect, pageTest as test } from '../test.ts'
import { fakeInbox } from './fake-inbox.ts'
import { newLead } from './new-lead.ts'
import { sampleNow } from './sample-time.ts'
import { erase } from './states.ts'

const dana = '/inbox/Q-7K3M-9QXD'
const confirmErasing = async (page: Page, address: string) => {
  await page.getByLabel('Type the person’s address').fill(address)
  await page.getByRole('button', { name: 'Erase for good' }).click()
}

test("to erase a person, the owner must type the person's address", async ({ page }) => {
  const { state } = await fakeInbox(page)
  await page.goto(dana)
  await page.getByRole('button', { name: 'Done' }).click()
  await page.getByRole('button', { name: 'Erase this person…' }).click()
  await confirmErasing(page, 'someone@example.com')
  await expect(page.getByText('type dana@example.com')).toBeVisible()

  await confirmErasing(page, 'Dana@Example.com')

  await expect(page.getByText('Dana Whitfield has been erased.')).toBeVisible()
  expect(state.leads.map(({ firstName }) => firstName)).not.toContain('Dana')
})

test('after a partial erasure, a sheet lists what could not be erased, and stays open when a new request arrives', async ({
  page,
}) => {
  const { arrive, state } = await fakeInbox(page)
  state.remains = { unusable: ['backups/leads-1.db'], newer: ['Q-4RTD-81MW'] }
  await page.goto(dana)
  await erase(page)

  const sheet = page.getByRole('dialog', { name: 'Not everything was erased' })
  await expect(sheet).toContainText('backups/leads-1.db')
  await expect(sheet).toContainText('Delete it, or restore access to it and erase again.')
  await expect(page.getByText('has been erased')).toHaveCount(0)
  await arrive(newLead())
  await expect(page.getByText('New request from Nora New')).toBeAttached()
  await expect(sheet).toBeVisible()
  await sheet.getByRole('link', { name: 'Q-4RTD-81MW' }).click()
  await expect(page.getByRole('heading', { name: 'Marcus Oyelaran' })).toBeVisible()
  await expect(sheet).toHaveCount(0)
})

test('an owner who signed in an hour ago must sign in again to erase a person', async ({
  page,
  browserErrors,
}) => {
  const { state } = await fakeInbox(page)
  if (state.session) state.session.signedInAt = new Date(sampleNow() - 3_600_000).toISOString()
  await page.goto(dana)
  await erase(page)
  await page.getByRole('button', { name: 'Email me a code' }).click()
  await page.getByLabel('Code').fill('K7MF29QX')

  await expect(page.getByText('Dana Whitfield has been erased.')).toBeVisible()
  browserErrors.length = 0
})

/** Starts to erase Dana, but holds the response back until the test calls `finish`. */
async function eraseSlowly(page: Page) {
  const inbox = await fakeInbox(page)
  const response = Promise.withResolvers<void>()
  await page.route('**/erase', async (route) => {
    await response.promise
    await route.fallback()
  })
  await page.goto(dana)
  await erase(page)
  return { ...inbox, finish: () => response.resolve() }
}

test("while an erasure is running, its sheet stays open even if the person's request is already gone", async ({
  page,
  browserErrors,
}) => {
  const { state, finish } = await eraseSlowly(page)

  state.leads = state.leads.filter(({ email }) => email !== 'dana@example.com')
  await page.evaluate(() => window.dispatchEvent(new Event('fake-change')))
  await expect(page.getByRole('heading', { name: 'Nothing here' })).toHaveCount(1)

  await expect(page.getByRole('button', { name: 'Erasing…' })).toBeVisible()
  finish()
  browserErrors.length = 0
})

test('when a slow erasure ends, a sheet lists what is left, and the answer that the owner is writing stays open', async ({
  page,
}) => {
  const { state, finish } = await eraseSlowly(page)
  await page.keyboard.press('Escape')
  await page.getByText('Luis Aguilar').click()
  await page.getByRole('button', { name: 'Reply' }).click()

  state.remains = { unusable: ['backups/leads.db'] }
  finish()

  await expect(page.getByRole('dialog', { name: 'Not everything was erased' })).toBeVisible()
  await expect(page.getByLabel('Your answer')).toHaveCount(1)
})

test('if an erasure fails after its sheet was closed, a notice says so', async ({ page, browserErrors }) => {
  const { state, finish } = await eraseSlowly(page)
  await page.keyboard.press('Escape')

  state.refuse = { status: 409, body: { detail: 'This takes longer than usual and is still running.' } }
  finish()

  await expect(page.getByText('Dana Whitfield: This takes longer than usual')).toBeVisible()
  browserErrors.length = 0
})
