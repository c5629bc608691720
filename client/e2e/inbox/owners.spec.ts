import type { Page } from '@playwright/test'
import { saveDraft } from '../../../server/inbox/leads/answer-lead.ts'
import { markLead, noteLead } from '../../../server/inbox/leads/change-lead.ts'
import {
  anna,
  answerBox,
  ben,
  choose,
  expect,
  openReply,
  press,
  row,
  type Site,
  test,
  waitForStream,
} from './test.ts'

const news = (page: Page) => page.getByRole('dialog').getByRole('alert')
const sendButton = (page: Page) => page.getByRole('button', { name: /^Send/ })
const text = 'We can start on Monday.'

test('two owners with the same request in two browsers: the one who replies learns what the other did, and decides', async ({
  page,
  site,
  browser,
}) => {
  const bens = await browser.newPage({ baseURL: site.url })
  await bens.context().clock.install({ time: site.now() })
  await site.signIn(bens.context(), { owner: ben })
  await bens.goto(await site.path('Dana'))
  await openReply(page, site)
  await answerBox(page).fill(text)

  await choose(bens, 'Won: the job is ours')
  await expect(news(page)).toHaveText('Ben marked it as won.')
  await openReply(bens, site)
  await answerBox(bens).fill('Call us at noon.')
  await press(bens, 'Send')
  await expect(news(page)).toHaveText(/^Ben answered this request at \d+:\d\d(?: [AP]M)?\.$/)
  await expect(page.getByRole('button', { name: 'Send', exact: true })).toHaveCount(0)
  // The shortcut sends nothing.
  await page.keyboard.press('Control+Enter')
  await press(page, 'Send anyway')

  await expect(bens.getByText('anna answered')).toBeVisible()
  expect(await site.answers('Dana')).toEqual(['Call us at noon.', text])
  await bens.context().close()
})

/** Opens Anna's reply, and stops the page's clock. Returns where the button is, and the answers that the page sends from now on. */
async function openPausedReply(page: Page, site: Site) {
  await openReply(page, site)
  await answerBox(page).fill(text)
  await expect.poll(() => site.draft('Dana')).toBe(text)
  const { x = 0, y = 0 } = (await sendButton(page).boundingBox()) ?? {}
  await page.clock.pauseAt(site.now().getTime() + 5_000)
  const sent: unknown[] = []
  page.on('request', (request) => request.url().endsWith('/answers') && sent.push(request.postDataJSON()))
  return { x: x + 9, y: y + 9, sent }
}

/** Ben does something, and the page runs its timers only until it shows that. */
async function showNews(page: Page, site: Site) {
  await site.by(ben, 'Dana', markLead, { state: 'won' })
  const runTimers = async () => {
    await page.clock.runFor(1)
    return news(page).allTextContents()
  }
  await expect.poll(runTimers, { intervals: [5] }).toEqual(['Ben marked it as won.'])
}

/** The answer that the owner sends anyway has the version that the owner has seen. */
async function sendAnyway(page: Page, site: Site, sent: unknown[]) {
  await page.clock.resume()
  await press(page, 'Send anyway')
  await expect.poll(() => site.answers('Dana')).toEqual([text])
  expect(sent.at(-1)).toMatchObject({ version: (await site.lead('Dana')).version - 1 })
}

test('a press on "Send" that begins before news about the request sends nothing, however late it ends', async ({
  page,
  site,
}) => {
  const { x, y, sent } = await openPausedReply(page, site)
  await page.mouse.move(x, y)
  await page.mouse.down()
  await showNews(page, site)
  // Long enough to read the news, but the press began before it.
  await page.clock.resume()
  await expect(sendButton(page)).toBeEnabled()
  const refused = page.waitForResponse('**/answers')
  await page.mouse.up()

  expect((await refused).status()).toBe(409)
  expect(await site.answers('Dana')).toEqual([])
  await expect(answerBox(page)).toHaveValue(text)
  await sendAnyway(page, site, sent)
})

test.describe('with a touch screen', () => {
  test.use({ hasTouch: true })

  for (const ms of [0, 400])
    test(`a press on "Send" ${ms} ms after news about the request sends nothing`, async ({ page, site }) => {
      const { x, y, sent } = await openPausedReply(page, site)
      await sendButton(page).focus()
      await showNews(page, site)
      await page.clock.runFor(ms)
      await page.keyboard.press('Enter')
      await page.keyboard.press('Space')
      // Where the button was, and where it is now.
      await page.mouse.click(x, y)
      await page.touchscreen.tap(x, y)
      await sendButton(page).click({ force: true })
      await sendButton(page).tap({ force: true })

      // Half a second after the news, the button works again.
      await page.clock.runFor(600)
      await expect(sendButton(page)).toBeEnabled()
      expect(sent).toEqual([])
      await sendAnyway(page, site, sent)
    })
})

test("a draft is marked for its author, another owner's at once; a search shows and marks what it found", async ({
  page,
  site,
}) => {
  await site.by(anna, 'Dana', noteLead, { text: 'Wants copper gutters.' })
  await site.by(anna, 'Dana', saveDraft, { text: 'Hello Dana', base: null })
  await page.goto('/inbox')
  const dana = row(page, 'Dana Whitfield').first()
  await expect(dana).toContainText('Draft')
  await waitForStream(page)

  await site.by(ben, 'Dana', saveDraft, { text: 'Hello', base: null })
  await expect(dana).toContainText('Ben is writing')

  const search = page.getByLabel('Search all requests')
  for (const [typed, found] of [
    ['witfield', 'Dana Whitfield'],
    ['copper', 'copper'],
  ] as const) {
    await search.fill(typed)
    await expect(dana.locator('mark')).toHaveText(found)
  }
  await expect(dana).toContainText('In a note: Wants copper gutters.')
})

test('everything about a person opens as a page, which also has it as a file', async ({ page, site }) => {
  await site.by(anna, 'Dana', noteLead, { text: 'Wants copper gutters.' })
  await page.goto(await site.path('Dana'))
  const opened = page.waitForEvent('popup')
  await choose(page, 'Everything about this person')

  const person = await opened
  await expect(person.getByText('Wants copper gutters.')).toBeVisible()
  const download = person.waitForEvent('download')
  await person.getByRole('link', { name: 'save it as a file' }).click()
  expect((await download).suggestedFilename()).toMatch(/^person-.*\.json$/)
})
