import { test as base, type Page } from '@playwright/test'
import { type Inbox, openInbox } from '../../server/proof/testing/inbox.ts'
import { newDataDir, type Program, startProgram } from '../../server/proof/testing/start-program.ts'

type Fixtures = {
  inbox: Inbox
  program: Program
  /** What the page complained about: console errors and warnings, exceptions, CSP violations. Must stay empty. */
  complaints: string[]
}

/** Every test gets its own server, database and inbox: the real program, started as in production. */
export const test = base.extend<Fixtures>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixtures from this pattern.
  inbox: async ({}, use) => {
    const inbox = await openInbox()
    await use(inbox)
    await inbox.close()
  },
  program: async ({ inbox }, use) => {
    using dataDir = newDataDir()
    const program = await startProgram({ DATA_DIR: dataDir.path, SMTP_URL: inbox.url, CONTACT_LIMIT: '100' })
    await use(program)
    await program.stop()
  },
  baseURL: async ({ program }, use) => use(program.url),
  complaints: async ({ context }, use) => {
    const complaints: string[] = []
    context.on('console', (line) => {
      if (['error', 'warning'].includes(line.type())) complaints.push(line.text())
    })
    context.on('weberror', (error) => complaints.push(String(error.error())))
    await use(complaints)
    expect(complaints).toEqual([])
  },
  page: async ({ page, complaints: _ }, use) => use(page),
})

export const { expect } = test

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

/** Fills in the quote form with everything; `changes` make it another request. */
export async function fillIn(page: Page, changes: Partial<typeof sample> = {}) {
  for (const [label, value] of Object.entries({ ...sample, ...changes }))
    await fieldOf(page, label).fill(value)
  await fieldOf(page, 'Budget').selectOption('professional')
}

export const sendButton = (page: Page) =>
  page.getByRole('button', { name: /Get My Free Quote|Sending\.\.\./ })

/** The application is there once it has declared the form to agents. */
export const started = (page: Page) =>
  expect(page.locator('form')).toHaveAttribute('toolname', 'request_quote')
