import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import PostalMime from 'postal-mime'
import { portfolio } from '#facts/portfolio.ts'
import { startProgram } from '../../../server/proof/testing/start-program.ts'
import { test as browserTest, confirmation, expect, fillIn, sendButton, waitForHydration } from '../test.ts'
import { printSignInLink } from './print-sign-in-link.ts'

// In this test, the server has no settings. A visitor sends a request, and an owner answers it on a phone.
const test = browserTest.extend({
  program: async ({ dataDir }, use) => {
    const program = await startProgram({ DATA_DIR: dataDir })
    await use(program)
    await program.stop()
  },
})

test.use({ viewport: { width: 390, height: 780 }, contextOptions: { reducedMotion: 'reduce' } })

async function mailTo(dataDir: string, address: string) {
  const folder = join(dataDir, 'mail')
  const files = readdirSync(folder).map((name) => readFileSync(join(folder, name)))
  const emails = await Promise.all(files.map((file) => PostalMime.parse(file)))
  return emails.filter(({ to }) => to?.some((recipient) => recipient.address === address))
}

const choose = async (page: Page, name: string) => {
  await page.getByRole('button', { name: 'Done' }).click()
  await page.getByRole('button', { name }).click()
}

test('an owner sees a new request at once, undoes an answer and sends another, keeps newer text from a laptop as a draft, marks the request as won, finds it, downloads it, and erases it', async ({
  page,
  context,
  program,
  dataDir,
  browserErrors,
}) => {
  test.setTimeout(120_000)

  await page.goto(await printSignInLink(dataDir, program.port))
  await expect(page.getByText('Nobody is waiting.')).toBeVisible()

  const visitor = await context.browser()?.newPage()
  await visitor?.goto(`${program.url}/?utm_source=newsletter&utm_campaign=spring&email=ada@example.com`)
  await waitForHydration(visitor as Page)
  await visitor?.goto(program.url + portfolio[0].url)
  await visitor?.goto(program.url)
  await waitForHydration(visitor as Page)
  await fillIn(visitor as Page, { Message: 'Can you start in May?' })
  await sendButton(visitor as Page).click()
  await expect(confirmation(visitor as Page)).toBeVisible()
  await expect(page.getByRole('link', { name: /Ada Lovelace/ })).toBeVisible()
  await visitor?.close()

  await page.getByRole('link', { name: /Ada Lovelace/ }).click()
  await expect(page.getByText('newsletter, campaign “spring”')).toBeVisible()
  await page.getByRole('button', { name: 'Reply' }).click()
  await page.getByLabel('Your answer').fill('Yes, in May.')
  await page.getByRole('button', { name: 'Send' }).click()
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(page.getByLabel('Your answer')).toHaveValue('Yes, in May.')
  await page.getByLabel('Your answer').fill('Yes, on May 4.')
  await expect(page.getByText('Draft saved')).toBeVisible()

  const laptop = await context.newPage()
  await laptop.goto(page.url())
  await laptop.getByRole('button', { name: 'Reply' }).click()
  await laptop.getByLabel('Your answer').fill('Yes, on May 4. Can I call you?')
  await expect(laptop.getByText('Draft saved')).toBeVisible()
  await page.getByRole('button', { name: 'Send' }).click()
  await expect(page.getByText('Sending your answer to Ada')).toBeVisible()
  await page.getByRole('button', { name: 'Reply' }).click()
  await expect(page.getByLabel('Your answer')).toHaveValue('Yes, on May 4. Can I call you?')
  await page.getByRole('button', { name: 'Close' }).click()
  await laptop.close()

  const answers = async () =>
    (await mailTo(dataDir, 'ada@example.com'))
      .filter(({ text }) => /May/.test(text ?? ''))
      .map(({ text }) => text)
  await expect.poll(answers, { timeout: 40_000 }).toEqual([expect.stringContaining('Yes, on May 4.')])
  await expect(page.locator('main article')).toContainText('Answered')
  await expect(page.getByText('Answer to ada@example.com')).toBeVisible()

  await choose(page, 'Won: the job is ours')
  await expect(page.getByText('marked as won')).toBeVisible()
  await page.getByRole('link', { name: 'All requests' }).click()
  await page.getByLabel('Search all requests').fill('555 0199')
  await page.getByRole('link', { name: /Ada Lovelace/ }).click()

  await page.getByRole('button', { name: 'Menu' }).click()
  await page.getByRole('link', { name: 'Access' }).click()
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'For programs' }).click()
  expect(readFileSync(await (await download).path(), 'utf8')).toContain('ada@example.com')

  await page.getByRole('link', { name: 'Inbox' }).click()
  await page.getByRole('button', { name: 'More' }).click()
  await page.getByRole('link', { name: /^Won/ }).click()
  await page.getByRole('link', { name: /Ada Lovelace/ }).click()
  await choose(page, 'Erase this person…')
  await page.getByLabel('Type the person’s address').fill('ada@example.com')
  await page.getByRole('button', { name: 'Erase for good' }).click()
  await expect(page.getByText('Ada Lovelace has been erased.')).toBeVisible({ timeout: 30_000 })
  await page.getByLabel('Search all requests').fill('Lovelace')
  await expect(page.getByText('Nothing found.')).toBeVisible()
  // An expected error: the 401 response from before the sign-in.
  browserErrors.length = 0
})
