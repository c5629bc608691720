import type { Page } from '@playwright/test'
import { choose, expect, press, row, signInWithCode, test } from './test.ts'

/** Opens a lead from the list, and confirms that the person who sent it is erased. */
async function erase(page: Page, name: string, address: string) {
  await row(page, name).click()
  await choose(page, 'Erase this person…')
  await typeAddress(page, address)
}
const typeAddress = async (page: Page, address: string) => {
  await page.getByLabel('Type the person’s address').fill(address)
  await press(page, 'Erase for good')
}

test('to erase a person, the owner must type the address and have signed in lately', async ({
  page,
  context,
  site,
}) => {
  await site.signIn(context, { minutesAgo: 60 })
  await page.goto('/inbox')

  await erase(page, 'Dana Whitfield', 'someone@example.com')
  await expect(page.getByText('type dana@example.com')).toBeVisible()
  await typeAddress(page, 'Dana@Example.com')
  const ended = page.waitForResponse('**/erase')
  await signInWithCode(page, site)
  await ended

  await expect(page.getByText('Dana Whitfield has been erased.')).toBeVisible()
  expect(await site.leads('Dana')).toEqual([])
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

  await test.step('if it fails, the sheet says so', async () => {
    process.env.DATA_DIR = '/nowhere/at/all'
    await erase(page, 'Dana Whitfield', 'dana@example.com')
    await page.keyboard.press('Escape')
    const ended = page.waitForResponse('**/erase')
    gate.resolve()
    await ended
    await expect(page.getByRole('dialog').getByText('The person could not be erased.')).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(page.getByRole('dialog')).toHaveCount(0)
    process.env.DATA_DIR = dataDir
  })

  await test.step("while it is running, the sheet stays open even if the person's request is already gone", async () => {
    gate = Promise.withResolvers()
    const gone = page.waitForResponse(
      async (response) => response.url().includes('/leads/') && response.status() === 404,
    )
    await erase(page, 'Priya Raman', 'priya@example.com')
    await gone
    await expect(page.getByRole('heading', { name: 'Nothing here' })).toHaveCount(1)
    await page.keyboard.press('Escape')
    await expect(page.getByRole('button', { name: 'Erasing…' })).toBeVisible()
    gate.resolve()
    await expect(page.getByText('Priya Raman has been erased.')).toBeVisible()
    expect(await site.leads('Priya')).toEqual([])
  })
})
