import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { choose, confirmErasing, expect, press, row, type Site, signInWithCode, test } from './test.ts'

/** Opens a lead from the list, and the sheet to erase the person who sent it. */
async function openSheet(page: Page, name: string) {
  await row(page, name).click()
  await choose(page, 'Erase this person…')
}
const typeAddress = async (page: Page, address: string) => {
  await page.getByLabel('Type the person’s address').fill(address)
  await press(page, 'Erase for good')
}
const leadsOf = (site: Site, name: string) =>
  site.db.selectFrom('leads').select('id').where('first_name', '=', name).execute()

test('to erase a person, the owner must type the address and have signed in lately', async ({
  page,
  context,
  site,
}) => {
  await site.signIn(context, { minutesAgo: 60 })
  await page.goto('/inbox')

  await openSheet(page, 'Dana Whitfield')
  await typeAddress(page, 'someone@example.com')
  await expect(page.getByText('type dana@example.com')).toBeVisible()
  await typeAddress(page, 'Dana@Example.com')
  const ended = page.waitForResponse('**/erase')
  await signInWithCode(page, site)
  await ended

  await expect(page.getByText('Dana Whitfield has been erased.')).toBeVisible()
  expect(await leadsOf(site, 'Dana')).toEqual([])
})

test('after a partial erasure, a sheet lists what could not be erased, and stays open when a new request arrives', async ({
  page,
  site,
  dataDir,
}) => {
  writeFileSync(join(dataDir, 'leads-before-restore-1.db'), 'damaged')
  const remains = page.getByRole('dialog', { name: 'Not everything was erased' })
  await page.goto('/inbox')

  await openSheet(page, 'Priya Raman')
  await confirmErasing(page, 'priya@example.com')
  await expect(remains).toContainText('leads-before-restore-1.db')
  await expect(remains.getByRole('button', { name: 'Close' })).toBeFocused()
  await expect(remains).toContainText('never delete leads.db')
  await expect(page.getByText('Priya Raman has been erased')).toHaveCount(0)
  await site.arrive('Nora', 'New')

  await expect(page.getByText('New request from Nora New')).toBeAttached()
  await expect(remains).toBeVisible()
})

test('an erasure keeps its sheet open until it has ended, even if the request is already gone, and says how it ended', async ({
  page,
  site,
  dataDir,
}) => {
  let gate = Promise.withResolvers<void>()
  await page.route('**/erase', async (route) => {
    const response = await route.fetch()
    await gate.promise
    await route.fulfill({ response })
  })
  await page.goto('/inbox')

  await test.step('if an erasure fails, its sheet says so', async () => {
    process.env.DATA_DIR = '/nowhere/at/all'
    await openSheet(page, 'Dana Whitfield')
    await typeAddress(page, 'dana@example.com')
    await page.keyboard.press('Escape')
    const ended = page.waitForResponse('**/erase')
    gate.resolve()
    await ended
    await expect(page.getByRole('dialog').getByText('The person could not be erased.')).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(page.getByRole('dialog')).toHaveCount(0)
  })

  await test.step("while an erasure is running, its sheet stays open even if the person's request is already gone", async () => {
    process.env.DATA_DIR = dataDir
    gate = Promise.withResolvers()
    await openSheet(page, 'Priya Raman')
    const erased = page.waitForResponse(
      async (response) => response.url().includes('/leads/') && response.status() === 404,
    )
    await typeAddress(page, 'priya@example.com')
    await erased
    await expect(page.getByRole('heading', { name: 'Nothing here' })).toHaveCount(1)
    await page.keyboard.press('Escape')
    await expect(page.getByRole('button', { name: 'Erasing…' })).toBeVisible()
    gate.resolve()
    await expect(page.getByText('Priya Raman has been erased.')).toBeVisible()
    expect(await leadsOf(site, 'Priya')).toEqual([])
  })
})
