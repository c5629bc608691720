import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { portfolio } from '#facts/portfolio.ts'
import {
  newDataDir,
  nodeSettings,
  type Program,
  startProgram,
} from '../../../server/proof/testing/start-program.ts'
import { test as browserTest, confirmation, expect, fillIn, open, sendButton } from '../test.ts'
import { answerBox, choose, confirmErasing, press, row } from './test.ts'

// In this test, the real program runs without settings. A visitor
// sends a request, and an owner answers it on a phone.
const test = browserTest.extend<{ program: Program }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixtures from this pattern.
  dataDir: async ({}, use) => {
    using dataDir = newDataDir()
    await use(dataDir.path)
  },
  program: async ({ dataDir }, use) => {
    const program = await startProgram({ DATA_DIR: dataDir })
    await use(program)
    await program.stop()
  },
  baseURL: ({ program }, use) => use(program.url),
})

/**
 * Runs `leads sign-in`, as an operator would on the server, and returns the link that it prints.
 */
async function printSignInLink(dataDir: string, port: number): Promise<string> {
  const command = join(import.meta.dirname, '../../../server/cli/leads.ts')
  const env = { ...nodeSettings, DATA_DIR: dataDir, PORT: String(port) }
  const { stdout } = await promisify(execFile)(process.execPath, [command, 'sign-in'], { env })
  return /http\S+/.exec(stdout)?.[0] ?? ''
}

test.use({ viewport: { width: 390, height: 780 } })

test('an owner handles a request, from arrival to erasure', async ({ page, browser, program, dataDir }) => {
  await page.goto(await printSignInLink(dataDir, program.port))
  await expect(page.getByText('Nobody is waiting.')).toBeVisible()
  await expect(page.getByText('No mail server is set up.')).toBeVisible()
  await expect(page).toHaveTitle(/^Inbox: /)

  const visitor = await browser.newPage({ baseURL: program.url })
  await open(visitor, '/?utm_source=newsletter&utm_campaign=spring&email=ada@example.com')
  await visitor.goto(portfolio[0].url)
  await open(visitor)
  await fillIn(visitor, { Message: 'Can you start in May?' })
  await sendButton(visitor).click()
  await expect(confirmation(visitor)).toBeVisible()
  await visitor.close()

  await expect(page).toHaveTitle(/^\(1\) Inbox: /)
  await row(page, 'Ada Lovelace').click()
  await press(page, 'Details')
  await expect(page.getByText('newsletter, campaign “spring”')).toBeVisible()
  await press(page, 'Reply')
  await answerBox(page).fill('Yes, on May 4.')
  await expect(page.getByText('Draft saved')).toBeVisible()
  await press(page, 'Send')
  await expect(page.getByText('Sending your answer to Ada')).toBeVisible()
  await expect(page.getByText('Nobody is waiting.')).toBeVisible()
  await press(page, 'More')
  await page.getByRole('link', { name: /^Answered/ }).click()
  await row(page, 'Ada Lovelace').click()
  await expect(page.locator('main article')).toContainText('Answered')
  const answer = page.getByRole('listitem').filter({ hasText: 'You answered' })
  await answer.getByRole('group').click()
  await expect(answer.getByText('Answer to ada@example.com')).toBeVisible()

  await choose(page, 'Won the job')
  await expect(page.getByText('marked as won')).toBeVisible()
  await press(page, 'Dismiss')
  await page.getByRole('link', { name: 'All requests' }).click()
  await page.getByLabel('Search all requests').fill('555 0199')
  await row(page, 'Ada Lovelace').click()
  const opened = page.waitForEvent('popup')
  await choose(page, 'Everything about this person')
  const person = await opened
  await expect(person.getByText('Yes, on May 4.')).toBeVisible()
  const file = person.waitForEvent('download')
  await person.getByRole('link', { name: 'save it as a file' }).click()
  expect((await file).suggestedFilename()).toMatch(/^person-.*\.json$/)
  await person.close()

  await press(page, 'Menu')
  await page.getByRole('link', { name: 'Access' }).click()
  await expect(page.locator('ul:popover-open')).toHaveCount(0)
  const download = page.waitForEvent('download')
  await press(page, 'For programs')
  expect(readFileSync(await (await download).path(), 'utf8')).toContain('ada@example.com')

  await page.getByRole('link', { name: 'Inbox' }).click()
  await press(page, 'More')
  await page.getByRole('link', { name: /^Won/ }).click()
  await row(page, 'Ada Lovelace').click()
  await choose(page, 'Erase this person…')
  await confirmErasing(page, 'ada@example.com')
  await expect(page.getByText('Ada Lovelace has been erased.')).toBeVisible()
  await page.getByLabel('Search all requests').fill('Lovelace')
  await expect(page.getByText('Nothing found.')).toBeVisible()
})
