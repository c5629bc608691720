import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import { test as base, type Page } from '@playwright/test'
import { send } from '#brand/words/form.ts'
import * as words from '#brand/words/outcome.ts'
import { contactPath } from '#shared/contact-request.ts'
import { samplePlan } from '../../server/proof/testing/sample-plan.ts'
import { newDataDir } from '../../server/proof/testing/start-program.ts'
import { openSite, type Site } from './site.ts'
import { storeLeads } from './store-leads.ts'

type Fixtures = {
  dataDir: string
  site: Site
  /** Console errors and warnings, exceptions and CSP violations. Must be empty when a test ends. */
  browserErrors: string[]
}

/**
 * Requests to these are refused or get lost in many tests. The browser also asks for the icon while
 * offline.
 */
const mayFail = /\/(api|functions|favicon\.)/

/**
 * Each test gets its own server, mail server and database with sample leads, which run in its own
 * process.
 */
export const test = base.extend<Fixtures, { sample: string }>({
  // Storing the leads takes longer than most tests, so that each worker does it once, and each test
  // copies the database.
  sample: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixtures from this pattern.
    async ({}, use) => {
      using dataDir = newDataDir()
      const site = await openSite(dataDir.path)
      await storeLeads(site)
      await site.close()
      await use(join(dataDir.path, 'leads.db'))
    },
    { scope: 'worker' },
  ],
  dataDir: async ({ sample }, use) => {
    using dataDir = newDataDir()
    copyFileSync(sample, join(dataDir.path, 'leads.db'))
    await use(dataDir.path)
  },
  site: async ({ dataDir }, use) => {
    const site = await openSite(dataDir)
    await use(site)
    await site.close()
  },
  baseURL: ({ site }, use) => use(site.url),
  browserErrors: [
    async ({ context }, use) => {
      const errors: string[] = []
      context.on('console', (line) => {
        if (['error', 'warning'].includes(line.type()) && !mayFail.test(line.location().url))
          errors.push(line.text())
      })
      context.on('weberror', (error) => errors.push(String(error.error())))
      await use(errors)
      expect(errors).toEqual([])
    },
    { auto: true },
  ],
})

export const { expect } = test

export const sample = {
  'First name': 'Ada',
  'Last name': 'Lovelace',
  Email: 'ada@example.com',
  Phone: '(312) 555-0199',
  Company: 'Analytical Roofing',
  Website: 'https://analytical.example',
  Message: 'We need a new site.\nWhen can you start?',
}

export const fieldOf = (page: Page, label: string) => page.locator('main form').getByLabel(label)

/**
 * Fills in every field of the form at once, as browsers fill in addresses: typing each text takes
 * ten times as long.
 */
export async function fillIn(page: Page, changes: Partial<typeof sample> = {}) {
  const values = Object.entries({ ...sample, Budget: samplePlan.id, ...changes })
  await page.locator('main form').evaluate((form, values) => {
    const labels = [...form.querySelectorAll('label')]
    for (const [label, value] of values) {
      const { control } = labels.find(({ textContent }) => textContent.startsWith(label)) as HTMLLabelElement
      control?.focus({ preventScroll: true })
      Object.assign(control as HTMLElement, { value })
      control?.dispatchEvent(new Event('input', { bubbles: true }))
    }
  }, values)
}

/** Opens the page, and waits until its application has started. */
export async function open(page: Page, path = '/') {
  await page.goto(path)
  await waitForHydration(page)
}

/** Waits for an attribute that the script sets after hydration. */
export const waitForHydration = (page: Page) => expect(page.locator('form')).toHaveAttribute('novalidate')

/** Opens the page, and waits until all of it is laid out. */
export async function openLaidOut(page: Page, path = '/') {
  await page.goto(path)
  await expect(page.locator('html[data-laid-out]')).toBeAttached()
}

/**
 * Holds back the requests to these URLs until the result is called. Then they go on, or get lost.
 */
export async function hold(page: Page, url: string, end: 'fallback' | 'abort' = 'fallback') {
  const gate = Promise.withResolvers<void>()
  await page.route(url, (route) => gate.promise.then(() => route[end]()))
  return gate.resolve
}

/** The next request of the form fails. */
export const failOnce = (page: Page) =>
  page.route(`**${contactPath}`, (route) => route.fulfill({ status: 500, body: '' }), { times: 1 })

export const sendButton = (page: Page) => page.locator('main form [type=submit]').filter({ hasText: send })
export const invalidFields = (page: Page) => page.locator('[aria-invalid=true]')

/** The heading of the confirmation. */
export const confirmation = (page: Page, reference = 'Q-') =>
  page.getByRole('heading', { name: `${words.requestIsIn} ${words.beforeReference}${reference}` })

/** The notification that says that the request was sent. */
export const sentToast = (page: Page) => page.getByRole('alert').filter({ hasText: words.sentTitle })
/** The notice below the form's button that says that the request was not sent. */
export const failedNotice = (page: Page) => page.locator('form p').filter({ hasText: words.notSent })
