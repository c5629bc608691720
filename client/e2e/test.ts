import { join } from 'node:path'
import { type BrowserContext, test as base, type ConsoleMessage, type Page } from '@playwright/test'
import Sqlite from 'better-sqlite3'
import { send, sending } from '#brand/words/form.ts'
import * as words from '#brand/words/outcome.ts'
import { type Inbox, openInbox } from '../../server/proof/testing/inbox.ts'
import { samplePlan } from '../../server/proof/testing/sample-plan.ts'
import { newDataDir, type Program, startProgram } from '../../server/proof/testing/start-program.ts'

type Fixtures = {
  inbox: Inbox
  dataDir: string
  program: Program
  /** Console errors and warnings, exceptions and CSP violations. Must be empty when a test ends. */
  browserErrors: string[]
}

type Site = Pick<Fixtures, 'inbox' | 'dataDir' | 'program'>

/** Each test gets its own real server, database and inbox, unless it uses `pageTest` or `siteTest`. */
export const test = base.extend<Fixtures, { sharedSite: Site }>({
  // Starting a server takes longer than most tests, so `pageTest` and `siteTest` share one for each worker.
  sharedSite: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixtures from this pattern.
    async ({}, use) => {
      using dataDir = newDataDir()
      const inbox = await openInbox()
      const settings = { DATA_DIR: dataDir.path, SMTP_URL: inbox.url, CONTACT_LIMIT: '100' }
      const program = await startProgram(settings)
      await use({ inbox, dataDir: dataDir.path, program })
      await program.stop()
      await inbox.close()
    },
    { scope: 'worker' },
  ],
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixtures from this pattern.
  inbox: async ({}, use) => {
    const inbox = await openInbox()
    await use(inbox)
    await inbox.close()
  },
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixtures from this pattern.
  dataDir: async ({}, use) => {
    using dataDir = newDataDir()
    await use(dataDir.path)
  },
  program: async ({ inbox, dataDir }, use) => {
    const program = await startProgram({ DATA_DIR: dataDir, SMTP_URL: inbox.url, CONTACT_LIMIT: '100' })
    await use(program)
    await program.stop()
  },
  baseURL: async ({ program }, use) => use(program.url),
  browserErrors: ({ context }, use) => expectNoErrors(context, use),
  page: async ({ page, browserErrors: _ }, use) => use(page),
})

/** Fails a test that leaves errors of the browser in the array, except those that are expected. */
export async function expectNoErrors(
  context: BrowserContext,
  use: (errors: string[]) => Promise<void>,
  isExpected: (line: ConsoleMessage) => boolean = () => false,
) {
  const errors: string[] = []
  context.on('console', (line) => {
    if (['error', 'warning'].includes(line.type()) && !isExpected(line)) errors.push(line.text())
  })
  context.on('weberror', (error) => errors.push(String(error.error())))
  await use(errors)
  expect(errors).toEqual([])
}

/** For tests of the page alone, which share a server. `inbox`, `dataDir` and `program` don't belong to that server. */
export const pageTest = test.extend({ baseURL: ({ sharedSite }, use) => use(sharedSite.program.url) })

/**
 * For tests of the page and its server. They share a server, which they must not stop. It has no leads or emails when a
 * test begins.
 */
export const siteTest = test.extend({
  program: async ({ sharedSite: { program, inbox, dataDir } }, use) => {
    await expect.poll(() => query(dataDir, "select id from outbox where state <> 'sent'")).toEqual([])
    forgetLeads(dataDir)
    inbox.emails.length = 0
    await use(program)
  },
  inbox: ({ sharedSite, program: _ }, use) => use(sharedSite.inbox),
  dataDir: ({ sharedSite, program: _ }, use) => use(sharedSite.dataDir),
})

function forgetLeads(dataDir: string) {
  const db = new Sqlite(join(dataDir, 'leads.db'))
  db.pragma('foreign_keys = on')
  db.exec('delete from outbox; delete from leads')
  db.close()
}

export const { expect } = test

/** Forgets the lines about failed requests and scripts that could not be loaded. Other errors still fail the test. */
export function forgetFailedRequests(browserErrors: string[]) {
  const others = browserErrors.filter(
    (line) => !/^Failed to load resource|Failed to fetch dynamically imported module/.test(line),
  )
  browserErrors.splice(0, Infinity, ...others)
}

export function query<Row>(dataDir: string, sql: string): Row[] {
  const db = new Sqlite(join(dataDir, 'leads.db'), { readonly: true })
  try {
    return db.prepare<[], Row>(sql).all()
  } finally {
    db.close()
  }
}

export const sample = {
  'First name': 'Ada',
  'Last name': 'Lovelace',
  Email: 'ada@example.com',
  Phone: '(312) 555-0199',
  Company: 'Analytical Roofing',
  Website: 'analytical.example',
  Message: 'We need a new site.\nWhen can you start?',
}

export const fieldOf = (page: Page, label: string) =>
  page.getByRole('form').or(page.locator('form')).first().getByLabel(label)

/** Fills in every field of the form. */
export async function fillIn(page: Page, changes: Partial<typeof sample> = {}) {
  for (const [label, value] of Object.entries({ ...sample, ...changes }))
    await fieldOf(page, label).fill(value)
  await fieldOf(page, 'Budget').selectOption(samplePlan.id)
}

export const sendButton = (page: Page) =>
  page
    .getByRole('button', { name: send, exact: true })
    .or(page.getByRole('button', { name: sending, exact: true }))

/** The heading of the confirmation. */
export const confirmation = (page: Page, reference = 'Q-') =>
  page.getByRole('heading', { name: `${words.requestIsIn} ${words.beforeReference}${reference}` })

/** The notification that says that the request was sent. */
export const sentToast = (page: Page) => page.getByRole('alert').filter({ hasText: words.sentTitle })
/** The notice below the form's button that says that the request was not sent. */
export const failedNotice = (page: Page) => page.locator('form p').filter({ hasText: words.notSent })

/** Waits for an attribute that the script sets after hydration. */
export const waitForHydration = (page: Page) =>
  expect(page.locator('form')).toHaveAttribute('toolname', 'request_quote')
