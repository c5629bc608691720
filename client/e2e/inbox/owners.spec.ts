import type { Page } from '@playwright/test'
import { markResult } from '../../../server/leads/change/mark-lead.ts'
import { answerBox, ben, choose, expect, openLead, openReply, press, row, type Site, test } from './test.ts'

const news = (page: Page) => page.getByRole('dialog').getByRole('alert')
const sendButton = (page: Page) => page.getByRole('button', { name: /^Send/ })
const text = 'We can start on Monday.'

test('who replies learns what another owner does meanwhile, and decides', async ({ page, site, browser }) => {
  const bens = await browser.newPage({ baseURL: site.url })
  await bens.context().clock.install({ time: site.now() })
  await site.signIn(bens.context(), { owner: ben })
  await openLead(bens, site, 'Dana')
  await openReply(page, site)
  await answerBox(page).fill(text)
  await expect(row(page, 'Dana Whitfield')).toContainText('Draft')
  await expect(row(bens, 'Dana Whitfield')).toContainText('Anna is writing')

  await openReply(bens, site)
  await answerBox(bens).fill('Half an answer')
  await expect(page.getByRole('dialog').getByText('Ben is writing an answer.')).toBeVisible()
  await press(bens, 'Close')
  await choose(bens, 'Won the job')
  await expect(news(page)).toHaveText('Ben marked it as won.')
  await openReply(bens, site)
  await answerBox(bens).fill('Call us at noon.')
  await press(bens, 'Send')
  await expect(news(page)).toHaveText(/^Ben answered this request at \d+:\d\d(?: [AP]M)?\.$/)
  await expect(page.getByRole('button', { name: 'Send', exact: true })).toHaveCount(0)
  // The shortcut sends nothing, however long she has read the news.
  await page.clock.runFor(5_000)
  await answerBox(page).press('Control+Enter')
  await expect(page.getByRole('button', { name: 'Send anyway' })).toBeEnabled()
  await press(page, 'Send anyway')

  await expect(bens.getByText('anna answered')).toBeVisible()
  expect(await site.answers('Dana')).toEqual(['Call us at noon.', text])
  await bens.context().close()
})

const stopClock = async (page: Page) => page.clock.pauseAt(await page.evaluate(() => Date.now() + 5_000))

/**
 * Ben does something, and the page, whose clock is stopped, runs its
 * timers only until it shows that.
 */
async function showNews(page: Page, site: Site, result: 'won' | 'lost') {
  await site.by(ben, 'Dana', markResult, { result })
  const runTimers = async () => {
    await page.clock.runFor(1)
    return news(page).allTextContents()
  }
  await expect.poll(runTimers, { intervals: [5] }).toEqual([`Ben marked it as ${result}.`])
}

test.describe('with a mouse, a keyboard and a touch screen', () => {
  test.use({ hasTouch: true })

  test('no press on "Send" counts that began before or just after news', async ({ page, site }) => {
    await openReply(page, site)
    await answerBox(page).fill(text)
    await expect.poll(() => site.draft('Dana')).toBe(text)
    const { x = 0, y = 0 } = (await sendButton(page).boundingBox()) ?? {}
    const sent: number[] = []
    page.on(
      'request',
      (request) => request.url().endsWith('/answers') && sent.push(request.postDataJSON().version),
    )

    await stopClock(page)
    // The news moves the button down, but not from under the mouse.
    await page.mouse.move(x + 9, y + 40)
    await page.mouse.down()
    await showNews(page, site, 'won')
    // Long enough to read the news, but the press began before it.
    await page.clock.resume()
    await expect(sendButton(page)).toBeEnabled()
    const refused = page.waitForResponse('**/answers')
    await page.mouse.up()
    expect((await refused).status()).toBe(409)
    await expect(answerBox(page)).toHaveValue(text)

    await stopClock(page)
    await sendButton(page).focus()
    await showNews(page, site, 'lost')
    for (const ms of [0, 400]) {
      await page.clock.runFor(ms)
      await page.keyboard.press('Enter')
      await page.keyboard.press('Space')
      // Where the button was, and where it is now.
      await page.mouse.click(x + 9, y + 9)
      await page.touchscreen.tap(x + 9, y + 9)
      await sendButton(page).click({ force: true })
      await sendButton(page).tap({ force: true })
    }
    // Half a second after the news, the button works again.
    await page.clock.runFor(600)
    await expect(sendButton(page)).toBeEnabled()
    expect([sent.length, await site.answers('Dana')]).toEqual([1, []])

    await page.clock.resume()
    await press(page, 'Send anyway')
    await expect.poll(() => site.answers('Dana')).toEqual([text])
    // The answer has the version that the owner has seen.
    expect(sent.at(-1)).toBe((await site.lead('Dana')).version - 1)
  })
})
