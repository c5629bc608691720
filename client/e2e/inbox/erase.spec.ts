import type { Page } from '@playwright/test'
import { expect, forgetFailedRequests, pageTest as test } from '../test.ts'
import { fakeInbox } from './fake-inbox.ts'
import { newLead } from './new-lead.ts'
import { sampleNow } from './sample-time.ts'

const confirmErasing = async (page: Page, address: string) => {
  await page.getByLabel('Type the person’s address').fill(address)
  await page.getByRole('button', { name: 'Erase for good' }).click()
}
/** Opens a lead from the list, and erases the person who sent it. */
async function erase(page: Page, name: string, address: string) {
  await page.getByRole('link', { name }).click()
  await page.getByRole('button', { name: 'Done' }).click()
  await page.getByRole('button', { name: 'Erase this person…' }).click()
  await confirmErasing(page, address)
}
const remains = (page: Page) => page.getByRole('dialog', { name: 'Not everything was erased' })

test('to erase a person, the owner must type the address and have signed in lately, and learns what could not be erased', async ({
  page,
  browserErrors,
}) => {
  const { arrive, state } = await fakeInbox(page)
  if (state.session) state.session.signedInAt = new Date(sampleNow() - 3_600_000).toISOString()
  await page.goto('/inbox')

  await test.step("to erase a person, the owner must type the person's address", async () => {
    await erase(page, 'Dana Whitfield', 'someone@example.com')
    await expect(page.getByText('type dana@example.com')).toBeVisible()
  })

  await test.step('an owner who signed in an hour ago must sign in again to erase a person', async () => {
    await confirmErasing(page, 'Dana@Example.com')
    await page.getByRole('button', { name: 'Email me a code' }).click()
    expect(state.leads.map(({ firstName }) => firstName)).toContain('Dana')
    await page.getByLabel('Code').fill('K7MF29QX')
    await expect(page.getByText('Dana Whitfield has been erased.')).toBeVisible()
    expect(state.leads.map(({ firstName }) => firstName)).not.toContain('Dana')
  })

  await test.step('after a partial erasure, a sheet lists what could not be erased, and stays open when a new request arrives', async () => {
    state.remains = { notErased: ['leads-before-restore-1.db'] }
    await erase(page, 'Priya Raman', 'priya@example.com')
    await expect(remains(page)).toContainText('leads-before-restore-1.db')
    await expect(remains(page).getByRole('button', { name: 'Close' })).toBeFocused()
    await expect(remains(page)).toContainText('never delete leads.db')
    await expect(page.getByText('Priya Raman has been erased')).toHaveCount(0)
    await arrive(newLead())
    await expect(page.getByText('New request from Nora New')).toBeAttached()
    await expect(remains(page)).toBeVisible()
  })
  forgetFailedRequests(browserErrors)
})

test('a slow erasure keeps its sheet open until it has ended, and says how it ended', async ({
  page,
  browserErrors,
}) => {
  const { state } = await fakeInbox(page)
  let response = Promise.withResolvers<void>()
  await page.route('**/erase', async (route) => {
    await response.promise
    await route.fallback()
  })
  await page.goto('/inbox')

  await test.step('if an erasure fails, its sheet says so', async () => {
    await erase(page, 'Dana Whitfield', 'dana@example.com')
    await page.keyboard.press('Escape')
    state.refuse = { status: 409, body: { detail: 'This takes longer than usual and is still running.' } }
    response.resolve()
    await expect(page.getByRole('dialog').getByText('This takes longer than usual')).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(page.getByRole('dialog')).toHaveCount(0)
  })

  await test.step("while an erasure is running, its sheet stays open even if the person's request is already gone", async () => {
    state.refuse = undefined
    response = Promise.withResolvers()
    await erase(page, 'Priya Raman', 'priya@example.com')
    state.leads = state.leads.filter(({ email }) => email !== 'priya@example.com')
    await page.evaluate(() => window.dispatchEvent(new Event('fake-change')))
    await expect(page.getByRole('heading', { name: 'Nothing here' })).toHaveCount(1)
    await page.keyboard.press('Escape')
    await expect(page.getByRole('button', { name: 'Erasing…' })).toBeVisible()
    response.resolve()
  })
  forgetFailedRequests(browserErrors)
})
