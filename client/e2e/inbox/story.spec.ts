import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import PostalMime from 'postal-mime'
import { portfolio } from '#facts/portfolio.ts'
import { startProgram } from '../../../server/proof/testing/start-program.ts'
import {
  test as browserTest,
  confirmation,
  expect,
  fillIn,
  forgetFailedRequests,
  sendButton,
  waitForHydration,
} from '../test.ts'
import { printSignInLink } from './print-sign-in-link.ts'
import { answerBox, choose, confirmErasing, press } from './test.ts'

// In this test, the server has no settings. A visitor sends a request, and an owner answers it on a phone.
const test = browserTest.extend({
  program: async ({ dataDir }, use) => {
    const program = await startProgram({ DATA_DIR: dataDir })
    await use(program)
    await program.stop()
  },
})

test.use({ viewport: { width: 390, height: 780 } })

async function mailTo(dataDir: string, address: string) {
  const folder = join(dataDir, 'mail')
  const files = readdirSync(folder).map((name) => readFileSync(join(folder, name)))
  const emails = await Promise.all(files.map((file) => PostalMime.parse(file)))
  return emails.filter(({ to }) => to?.some((recipient) => recipient.address === address))
}

test('an owner sees a new request at once, undoes an answer and sends another, marks the request as won, finds it, downloads it, and erases it', async ({
  page,
  browser,
  program,
  dataDir,
  browserErrors,
}) => {
  test.setTimeout(120_000)

  await page.goto(await printSignInLink(dataDir, program.port))
  await expect(page.getByText('Nobody is waiting.')).toBeVisible()
  await expect(page.getByText('No mail server is set up.')).toBeVisible()

  const visitor = await browser.newPage({ baseURL: program.url })
  await visitor.goto('/?utm_source=newsletter&utm_campaign=spring&email=ada@example.com')
  await waitForHydration(visitor)
  await visitor.goto(portfolio[0].url)
  await visitor.goto('/')
  await waitForHydration(visitor)
  await fillIn(visitor, { Message: 'Can you start in May?' })
  await sendButton(visitor).click()
  await expect(confirmation(visitor)).toBeVisible()
  await visitor.close()

  await page.getByRole('link', { name: /Ada Lovelace/ }).click()
  await expect(page.getByText('newsletter, campaign “spring”')).toBeVisible()
  await press(page, 'Reply')
  await answerBox(page).fill('Yes, in May.')
  await press(page, 'Send')
  await press(page, 'Undo')
  await expect(answerBox(page)).toHaveValue('Yes, in May.')
  await answerBox(page).fill('Yes, on May 4.')
  await expect(page.getByText('Draft saved')).toBeVisible()
  await press(page, 'Send')
  await expect(page.getByText('Sending your answer to Ada')).toBeVisible()
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

  await press(page, 'Menu')
  await page.getByRole('link', { name: 'Access' }).click()
  const download = page.waitForEvent('download')
  await press(page, 'For programs')
  expect(readFileSync(await (await download).path(), 'utf8')).toContain('ada@example.com')

  await page.getByRole('link', { name: 'Inbox' }).click()
  await press(page, 'More')
  await page.getByRole('link', { name: /^Won/ }).click()
  await page.getByRole('link', { name: /Ada Lovelace/ }).click()
  await choose(page, 'Erase this person…')
  await confirmErasing(page, 'ada@example.com')
  await expect(page.getByText('Ada Lovelace has been erased.')).toBeVisible()
  await page.getByLabel('Search all requests').fill('Lovelace')
  await expect(page.getByText('Nothing found.')).toBeVisible()
  // The requests from before the sign-in were refused.
  forgetFailedRequests(browserErrors)
})
