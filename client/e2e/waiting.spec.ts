import type { Locator, Page, Route } from '@playwright/test'
import * as words from '#brand/words/form.ts'
import { sendsAgainAt } from '#brand/words/outcome.ts'
import { getStarted, meanings } from '#brand/words/pricing.ts'
import { brand } from '#facts/brand.ts'
import { includedInAllPlans } from '#facts/promises.ts'
import { contactPath } from '#shared/contact-request.ts'
import { withMotion } from './motion.ts'
import {
  confirmation,
  expect,
  fieldOf,
  fillIn,
  forgetFailedRequests,
  pageTest,
  query,
  sample,
  sendButton,
  siteTest as test,
  waitForHydration,
} from './test.ts'

test.use(withMotion)
pageTest.use(withMotion)

const toasts = (page: Page) => page.locator('.Toastify__toast')

/** Finishes the animations that react-toastify uses as timers, and returns their durations in ms. */
const finishTimers = (found: Locator) =>
  found.evaluateAll((elements) =>
    elements.map((element) => {
      const [timer] = element.querySelector('.Toastify__progress-bar--animated')?.getAnimations() ?? []
      timer?.finish()
      return timer?.effect?.getTiming().duration
    }),
  )

pageTest(
  'a tooltip opens after 700 ms, or at once if another one was open less than 300 ms ago, and closes on Escape',
  async ({ page }) => {
    await page.clock.install({ time: 0 })
    await page.goto('/')
    await waitForHydration(page)
    await page.clock.pauseAt(60_000)
    const [uptime, backups] = includedInAllPlans
    const term = (name: string) => page.getByRole('button', { name })
    const meaning = (text: string) => page.getByRole('tooltip').filter({ hasText: text })

    await term(uptime.name).hover()
    await page.clock.runFor(699)
    await expect(meaning(meanings[uptime.id])).toBeHidden()
    await page.clock.runFor(1)
    await expect(meaning(meanings[uptime.id])).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(meaning(meanings[uptime.id])).toBeHidden()

    await page.mouse.move(0, 0)
    await page.clock.runFor(1000)
    await term(uptime.name).hover()
    await page.clock.runFor(700)
    await page.mouse.move(0, 0)
    await page.clock.runFor(299)
    await term(backups.name).hover()
    await page.clock.runFor(1)
    await expect(meaning(meanings[backups.id])).toBeVisible()
    await page.mouse.move(0, 0)
    await page.clock.runFor(300)
    await term(uptime.name).hover()
    await page.clock.runFor(1)
    await expect(page.getByRole('tooltip')).toHaveCount(0)

    await page.mouse.move(0, 0)
    await page.getByRole('link', { name: getStarted }).last().focus()
    await page.keyboard.press('Tab')
    await page.clock.runFor(1)
    await expect(term(uptime.name)).toBeFocused()
    await expect(meaning(meanings[uptime.id])).toBeVisible()
  },
)

pageTest(
  'only one confirmation or error shows at a time, and it stays; up to three notices show, for 4 seconds each',
  async ({ page, context, browserErrors }) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    await page.goto('/')
    await waitForHydration(page)
    const copied = toasts(page).filter({ hasText: words.addressCopied })
    for (let presses = 0; presses < 4; presses++)
      await page.getByRole('button', { name: words.copyAddress }).click()
    await expect(copied).toHaveCount(3)
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(brand.email)
    await context.setOffline(true)
    expect(await finishTimers(copied)).toEqual([4000, 4000, 4000])
    // The fourth notice and the one about the lost connection were queued.
    const offline = toasts(page).filter({ hasText: words.offline })
    await expect(offline).toBeVisible()
    expect(await finishTimers(toasts(page))).toEqual([4000, 4000])
    await expect(toasts(page)).toHaveCount(0)
    await context.setOffline(false)

    let attempts = 0
    const detail = () => `This is answer ${++attempts}.`
    const refuse = (route: Route) =>
      route.fulfill({
        status: 400,
        contentType: 'application/problem+json',
        body: JSON.stringify({ detail: detail() }),
      })
    await page.route(`**${contactPath}`, refuse)
    await fillIn(page)
    await sendButton(page).click()
    await expect(toasts(page)).toContainText('This is answer 1.')
    await sendButton(page).click()
    await expect(toasts(page)).toContainText('This is answer 2.')
    await expect(toasts(page)).toHaveCount(1)
    expect(await finishTimers(toasts(page))).toEqual([1_000_000])
    forgetFailedRequests(browserErrors)
  },
)

pageTest(
  'after too many requests, the page says when it sends again, keeps the text, and sends, even after the device slept',
  async ({ page, browserErrors }) => {
    await page.clock.install({ time: new Date('2026-03-02T15:00:00') })
    const bodies: (string | null)[] = []
    await page.route(`**${contactPath}`, (route, request) =>
      bodies.push(request.postData()) > 1
        ? route.continue()
        : route.fulfill({ status: 429, headers: { 'Retry-After': '480' }, json: { detail: 'Too many.' } }),
    )
    await page.goto('/')
    await waitForHydration(page)
    await fillIn(page)
    await sendButton(page).click()
    await expect(page.getByText(sendsAgainAt('3:08pm'))).toBeVisible()
    await expect(fieldOf(page, 'Message')).toHaveValue(sample.Message)

    await page.clock.fastForward('08:01')
    await expect(confirmation(page)).toBeVisible()
    expect(bodies.map((body) => JSON.parse(String(body)).message)).toEqual([sample.Message, sample.Message])
    forgetFailedRequests(browserErrors)
  },
)

pageTest(
  'after too many requests, changed text is sent only by its writer',
  async ({ page, browserErrors }) => {
    await page.clock.install({ time: new Date('2026-03-02T15:00:00') })
    let requests = 0
    await page.route(`**${contactPath}`, (route) => {
      requests++
      return route.fulfill({ status: 429, headers: { 'Retry-After': '60' }, json: { detail: 'Too many.' } })
    })
    await page.goto('/')
    await waitForHydration(page)
    await fillIn(page)
    await sendButton(page).click()
    await fieldOf(page, 'Message').fill('One more')
    await expect(page.getByText(sendsAgainAt('3:01pm'))).toBeHidden()

    await page.clock.fastForward('02:00')
    await page.clock.runFor(2000)
    expect(requests).toBe(1)
    forgetFailedRequests(browserErrors)
  },
)

test('a form submitted before the application loads is sent by the browser', async ({ page, dataDir }) => {
  // The application never loads.
  await page.route('**/assets/main-*.js', () => {})
  await page.goto('/')
  await fillIn(page, { Email: 'ada', Website: 'https://analytical.example' })
  await sendButton(page).click()
  await expect(fieldOf(page, 'Email')).toBeFocused()
  await expect(page).not.toHaveURL(/contact-email/)

  await fieldOf(page, 'Email').fill(sample.Email)
  await sendButton(page).click()
  await expect(page).toHaveURL(/#sent$/)
  await expect(confirmation(page)).toBeVisible()
  expect(query(dataDir, 'select message from leads')).toEqual([{ message: sample.Message }])
})
