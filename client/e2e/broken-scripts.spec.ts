import { runInNewContext } from 'node:vm'
import type { Page, Request } from '@playwright/test'
import { contactPath } from '#shared/contact-request.ts'
import { pages } from '#shared/pages.ts'
import { expect, sample, sendButton, test } from './test.ts'

type Break = (page: Page) => Promise<unknown>

const PAGES_AT_ONCE = 4
/** The time for the application to start or to fail. */
const START_MS = 2_500
/** The time to fill in and send the form, on a busy machine. */
const SEND_MS = 20_000
const VISIBLE_MS = 2_000

/** Breaks something in each of these pages, and checks that the visitor still has the whole page, and a form that sends. */
async function checkEach(newPage: () => Promise<Page>, breaks: Record<string, Break>) {
  const left = Object.entries(breaks)
  const check = async () => {
    for (let next = left.pop(); next; next = left.pop()) {
      const page = await newPage()
      await next[1](page)
      await expectToWork(page, next[0])
      await page.close()
    }
  }
  await Promise.all(Array.from({ length: PAGES_AT_ONCE }, check))
}

async function expectToWork(page: Page, without: string) {
  await answerPosts(page)
  const settled = waitUntilStarted(page)
  await page.goto('/')
  await expectComplete(page, without)
  await settled
  await expectComplete(page, without)
  const sent = page.waitForRequest(isPost, { timeout: SEND_MS }).catch(() => null)
  await send(page)
  expect((await sent)?.postData(), without).toContain('Lovelace')
}

async function expectComplete(page: Page, without: string) {
  const parts = page.locator('main section h2, form, footer')
  await expect(parts, without).toHaveCount(6)
  for (const part of await parts.all()) await expect(part, without).toBeVisible({ timeout: VISIBLE_MS })
}

/** Waits until the application has started or failed. */
const waitUntilStarted = (page: Page) =>
  Promise.race([
    page.waitForSelector('form[toolname]'),
    page.waitForEvent('console', { predicate: (line) => line.type() === 'error' }),
    page.waitForEvent('pageerror'),
    page.waitForTimeout(START_MS),
  ]).catch(() => {})

const isPost = (request: Request) => request.method() === 'POST' && request.url().endsWith(contactPath)

async function answerPosts(page: Page) {
  const reply = { success: true, reference: 'Q-7K3M-9QXD' }
  await page.route(`**${contactPath}`, (route) =>
    route.request().headers()['content-type']?.includes('json')
      ? route.fulfill({ json: reply })
      : route.fulfill({ status: 204 }),
  )
}

/** Types into the required fields, without a script in the page, which may lack what that would need. */
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

const removeGlobal = (name: string) => (page: Page) =>
  page.addInitScript((name) => Reflect.deleteProperty(globalThis, name), name)

test('the page needs no single API of the browser', async ({ page, context, browserErrors }) => {
  await recordGlobals(page)
  await expectToWork(page, 'nothing')
  const used: string[] = await page.evaluate('[...usedGlobals]')
  expect(used).toEqual(
    expect.arrayContaining(['PerformanceObserver', 'IntersectionObserver', 'fetch', 'crypto']),
  )

  await checkEach(() => context.newPage(), Object.fromEntries(used.map((name) => [name, removeGlobal(name)])))
  browserErrors.length = 0
})

test('the page needs none of its files', async ({ page, context, browserErrors }) => {
  const urls: string[] = []
  page.on('request', (request) => urls.push(request.url()))
  await expectToWork(page, 'nothing')
  const files = urls.filter((url) => url.includes('/assets/'))
  expect(files.length).toBeGreaterThan(4)

  const abort = (url: string) => (page: Page) => page.route(url, (route) => route.abort())
  await checkEach(() => context.newPage(), Object.fromEntries(files.map((url) => [url, abort(url)])))
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
