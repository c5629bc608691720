import { runInNewContext } from 'node:vm'
import type { BrowserContext, Page, Request } from '@playwright/test'
import { contactPath } from '#shared/contact-request.ts'
import { pages } from '#shared/pages.ts'
import { heading, test as inboxTest } from './inbox/test.ts'
import { expect, sample, sendButton, test } from './test.ts'

/** The time for the application to start or to fail. */
const START_MS = 2_500
/** The time to fill in and send the form, on a busy machine. */
const SEND_MS = 20_000

/**
 * Breaks each of these in a page of its own, and checks that the visitor still has the whole page,
 * and a form that sends.
 */
async function breakEach(
  context: BrowserContext,
  names: string[],
  breakIn: (page: Page, name: string) => Promise<unknown>,
) {
  for (const name of names) {
    // Not closed before the next one opens: sometimes, Chromium then never opens it.
    const page = await context.newPage()
    await breakIn(page, name)
    await expectToWork(page, name)
  }
}

async function expectToWork(page: Page, without: string) {
  const settled = waitUntilStarted(page)
  await page.goto('/', { waitUntil: 'commit' })
  await expectComplete(page, without)
  await settled
  await expectComplete(page, without)
  const sent = page.waitForRequest(isPost, { timeout: SEND_MS }).catch(() => null)
  await send(page)
  expect((await sent)?.postData(), without).toContain('Lovelace')
}

const expectComplete = (page: Page, without: string) =>
  expect(page.locator('main section h2, form, footer').filter({ visible: true }), without).toHaveCount(6)

/** Waits until the application has started or failed. */
const waitUntilStarted = (page: Page) =>
  Promise.race([
    page.waitForSelector('form[novalidate]'),
    page.waitForEvent('console', { predicate: (line) => line.type() === 'error' }),
    page.waitForEvent('pageerror'),
    page.waitForTimeout(START_MS),
  ]).catch(() => {})

const isPost = (request: Request) => request.method() === 'POST' && request.url().endsWith(contactPath)

/**
 * Types into the required fields, without a script in the page, which may lack what that would
 * need.
 */
async function send(page: Page) {
  const fields = page.locator('main form :is(input, textarea):required')
  const { 'First name': first, 'Last name': last, Email, Message } = sample
  for (const [index, text] of [first, last, Email, Message].entries()) await fields.nth(index).fill(text)
  await sendButton(page).click()
}

const globalsOfTheLanguage: string[] = runInNewContext('Object.getOwnPropertyNames(globalThis)')

/** Records which globals of the browser the page's scripts read. */
const recordGlobals = (page: Page) =>
  page.addInitScript((ignored) => {
    const used = new Set<string>()
    for (const [name, property] of Object.entries(Object.getOwnPropertyDescriptors(window))) {
      if (!property.configurable || ignored.includes(name)) continue
      const { value, get = () => value, set = () => {} } = property as PropertyDescriptor
      const record = () => used.add(name) && get.call(window)
      Object.defineProperty(window, name, { configurable: true, get: record, set })
    }
    Object.assign(window, { usedGlobals: used })
  }, globalsOfTheLanguage)

const removeGlobal = (page: Page, name: string) =>
  page.addInitScript((name) => Reflect.deleteProperty(globalThis, name), name)

// Several tests, which run at the same time: there are about thirty such APIs.
for (const [initials, example] of [
  ['A-M', 'IntersectionObserver'],
  ['N-Z', 'URL'],
  ['a-l', 'fetch'],
  ['m-z', 'setTimeout'],
] as const)
  test(`the page needs no single API of the browser: ${initials}`, async ({
    page,
    context,
    browserErrors,
  }) => {
    await recordGlobals(page)
    await expectToWork(page, 'nothing')
    const used: string[] = await page.evaluate('[...usedGlobals]')
    expect(used).toContain(example)

    const names = used.filter((name) => new RegExp(`^[${initials}]`).test(name))
    await breakEach(context, names, removeGlobal)
    browserErrors.length = 0
  })

test('the page needs none of its files', async ({ page, context, browserErrors }) => {
  const urls: string[] = []
  page.on('request', (request) => urls.push(request.url()))
  await expectToWork(page, 'nothing')
  const files = urls.filter((url) => url.includes('/assets/'))
  expect(files.length).toBeGreaterThan(4)

  await breakEach(context, files, (page, url) => page.route(url, (route) => route.abort()))
  browserErrors.length = 0
})

test('the page needs no inline script', async ({ page, browserErrors }) => {
  await page.route(pages.home, async (route) => {
    const response = await route.fetch()
    const headers = response.headers()
    const policy = headers['content-security-policy']?.replace(/script-src [^;]*/, "script-src 'self'")
    await route.fulfill({ response, headers: { ...headers, 'content-security-policy': policy ?? '' } })
  })

  await expectToWork(page, 'inline scripts')
  expect(browserErrors.join()).toContain('script')
  browserErrors.length = 0
})

inboxTest(
  'an inbox whose script does not come says so, and can be loaded again',
  async ({ page, site, browserErrors }) => {
    const script = '**/assets/inbox-*.js'
    // As after a deploy: the document is older.
    await page.route(script, (route) => route.fulfill({ status: 404, contentType: 'text/html', body: '' }))
    await page.setViewportSize({ width: 360, height: 780 })
    await page.goto(await site.path('Dana'))
    const status = page.getByRole('status')
    await expect(status).toHaveText('The inbox did not load. Try again')
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360)

    await page.unroute(script)
    await status.getByRole('button', { name: 'Try again' }).click()
    await expect(heading(page, 'Dana Whitfield')).toBeVisible()
    browserErrors.length = 0
  },
)
