import type { Page } from '@playwright/test'
import * as header from '#brand/words/header.ts'
import { test as inboxTest, waitForApplication } from './inbox/test.ts'
import { expect, fieldOf, fillIn, pageTest, query, sample, sendButton, siteTest as test } from './test.ts'

/** Changes the scripts that the page loads. */
async function changeScripts(page: Page, change: (script: string) => string) {
  await page.route('**/assets/{main,app}-*.js', async (route) => {
    const response = await route.fetch()
    await route.fulfill({ response, body: change(await response.text()) })
  })
}

const replaceText = (text: string, code: string) => (script: string) =>
  script.replace(new RegExp(`(["'\`])${text}\\1`, 'g'), code)
const throwing = '(()=>{throw new Error("the roof is open")})()'

/** Ends the visit, because the application fails again on the page after the redirect. */
async function leave(page: Page, browserErrors: string[]) {
  await page.unrouteAll({ behavior: 'wait' })
  await page.close()
  browserErrors.length = 0
}

/** Each makes the application fail, and says how often the console says so: the browser reports failed requests itself. */
const failures: Record<string, (page: Page) => Promise<unknown>> = {
  'the application does not load': (page) => page.route('**/assets/main-*.js', (route) => route.abort()),
  'a part of it does not load': (page) => page.route('**/assets/app-*.js', (route) => route.abort()),
  'it cannot be parsed': (page) => changeScripts(page, (script) => `?.${script}`),
  'it throws as it starts': (page) => changeScripts(page, (script) => `${throwing};${script}`),
  'it throws while rendering': (page) => changeScripts(page, replaceText(header.skip, throwing)),
  'it throws in an effect': (page) =>
    page.addInitScript(() => {
      IntersectionObserver.prototype.observe = () => {
        throw new Error('the roof is open')
      }
    }),
  'it throws in an effect of the form': (page) =>
    page.addInitScript(() => {
      const { setAttribute } = HTMLFormElement.prototype
      HTMLFormElement.prototype.setAttribute = function (name, value) {
        if (name === 'toolname') throw new Error('the roof is open')
        setAttribute.call(this, name, value)
      }
    }),
}

for (const [name, fail] of Object.entries(failures)) {
  test(`if ${name}, the page stays, and the browser sends the form with the typed text`, async ({
    page,
    dataDir,
    browserErrors,
  }) => {
    await fail(page)
    await page.goto('/', { waitUntil: 'commit' })
    await fillIn(page, { Website: 'https://analytical.example' })
    await fieldOf(page, 'Email').fill('ada')
    await expect
      .poll(() => browserErrors.filter((line) => !line.startsWith('Failed to load')))
      .toHaveLength(1)
    await expect(page.locator('form')).toHaveJSProperty('noValidate', false)
    await expect(page.locator('h1')).toBeVisible()
    await expect(fieldOf(page, 'Message')).toHaveValue(sample.Message)
    await fieldOf(page, 'Email').fill(sample.Email)
    await sendButton(page).click()

    await expect(page).toHaveURL(/#sent$/)
    expect(query(dataDir, 'select email, message from leads')).toEqual([
      { email: sample.Email, message: sample.Message },
    ])
    await leave(page, browserErrors)
  })
}

pageTest(
  'without a prerendered page, an error while rendering shows the error message',
  async ({ page, browserErrors }) => {
    await changeScripts(page, replaceText(header.skip, throwing))
    await page.addInitScript(() =>
      document.addEventListener('readystatechange', () => document.getElementById('root')?.replaceChildren()),
    )
    await page.goto('/no-such-page')

    await expect(page.getByRole('heading', { name: 'Unexpected Application Error!' })).toBeVisible()
    await expect(page.getByRole('heading', { name: 'the roof is open' })).toBeVisible()
    await leave(page, browserErrors)
  },
)

inboxTest(
  'if a page of the inbox fails to load, the frame stays, and the page can be opened again',
  async ({ page, browserErrors }) => {
    await page.goto('/inbox')
    await waitForApplication(page)
    await page.route('**/assets/inbox-figures-*.js', (route) => route.abort())
    await page.getByRole('link', { name: 'Figures' }).click()
    await expect(page.getByRole('alert')).toContainText('This page could not be shown')
    await expect(page.getByRole('link', { name: 'Requests', exact: true })).toBeVisible()
    expect(browserErrors.filter((line) => !line.startsWith('Failed to load'))).toHaveLength(1)

    await page.unroute('**/assets/inbox-figures-*.js')
    await page.getByRole('link', { name: 'Try again' }).click()
    await expect(page).toHaveURL(/figures$/)
    await expect(page.getByRole('heading', { name: 'Figures' })).toBeVisible()
    browserErrors.length = 0
  },
)
