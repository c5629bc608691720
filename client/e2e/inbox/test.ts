import type { BrowserContext, Locator, Page } from '@playwright/test'
import type { Folder } from '../../../server/mailbox/imap.ts'
import { readMessage } from '../../../server/mailbox/read-message.ts'
import { createTakeIn } from '../../../server/mailbox/take-in.ts'
import { writtenIn } from '../../../server/mailbox/words.ts'
import type { Site } from '../site.ts'
import { test as base, expect } from '../test.ts'

export { anna, ben, type Site } from '../site.ts'
export { expect } from '../test.ts'

/** The browser has the clock of the server, and Anna has signed in with it a minute ago. */
export const test = base.extend({
  context: async ({ context, site }, use) => {
    await context.clock.install({ time: site.now() })
    await site.signIn(context)
    await use(context)
  },
})
/** Turns off that the next request opens after an action. */
export const stayOnLead = (context: BrowserContext) =>
  context.addInitScript(() => {
    // An empty page has no storage.
    if (location.protocol !== 'about:') localStorage.setItem('inbox-next', 'off')
  })

/** Waits until the application has replaced the rows that the first script drew. */
export const waitForInbox = (page: Page) => expect(page.getByRole('main')).toHaveCount(1)

/**
 * Opens a page of the signed-in inbox, and waits until it has all its data,
 * listens to keys, and knows of changes: a press while something still
 * loads could be beside what it is meant for, because things move then.
 */
export async function open(page: Page, path: string) {
  await page.goto(path)
  await expect(page.getByText('Live', { exact: true })).toBeVisible()
  await expect(page.locator('[aria-busy=true]')).toHaveCount(0)
}
/** In the page: looks as if another tab were shown (`hidden`), or this one again (`visible`). */
export const setVisibility = (state: string) => {
  Object.defineProperty(document, 'visibilityState', { configurable: true, get: () => state })
  document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))
}

/** Opens a person's newest lead. */
export const openLead = async (page: Page, site: Site, name: string) => open(page, await site.path(name))

export const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()
/** Chooses an entry of the menu "Done". */
export async function choose(page: Page, name: string) {
  await press(page, 'Done')
  await press(page, name)
}
export const answerBox = (page: Page) => page.getByLabel('Your answer')
export const heading = (page: Page, name: string) => page.getByRole('heading', { name, exact: true })
/** The row of a person in the list. */
export const row = (page: Page, name: string) => page.locator('[data-row]').filter({ hasText: name })

/**
 * Confirms that a person is erased, and waits until the command that
 * erases has ended. The sheet must be open.
 */
export async function confirmErasing(page: Page, address: string) {
  const ended = page.waitForResponse('**/erase')
  await page.getByLabel('Type the person’s address').fill(address)
  await press(page, 'Erase for good')
  await ended
}

/** Opens a person's newest lead, and the reply to it. */
export async function openReply(page: Page, site: Site, name = 'Dana') {
  await openLead(page, site, name)
  await press(page, 'Reply')
}

export const code = /\b\w{4}-\w{4}\b/

/** Asks for a code and types it. The page must show the form to sign in. */
export async function signInWithCode(page: Page, site: Site, owner?: string) {
  if (owner) await page.getByLabel('Your email address').fill(owner)
  await page.getByLabel('Code').fill(await site.textInEmail(code, () => press(page, 'Email me a code')))
}

/** What the page has stored in the browser. */
export const keptInBrowser = (page: Page) =>
  page.evaluate(async () => ({
    stored: { ...localStorage, ...sessionStorage },
    databases: await indexedDB.databases(),
    caches: await caches.keys(),
  }))

/** Lets time pass on the page until it shows this: it waits for seconds between its attempts. */
export async function passTimeUntil(page: Page, shown: Locator, stepMs = 500) {
  const pass = async () => {
    await page.clock.runFor(stepMs)
    return shown.count()
  }
  await expect.poll(pass, { intervals: [50] }).toBeGreaterThan(0)
}

/** A message comes into the mailbox. */
export async function receive(
  site: Site,
  headers: Record<string, string>,
  text: string,
  folder: Folder = 'inbox',
) {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  const message = await readMessage(Buffer.from([...lines, '', text].join('\n').replaceAll('\n', '\r\n')))
  await site.run((deps) => createTakeIn({ ...deps, readWords: writtenIn })(message, folder))
}

export const selected = (page: Page) => page.getByRole('region', { name: 'Selected requests' })
export const undone = (page: Page) => expect(page.getByText('undone.')).toBeVisible()

/** Writes again about the newest lead of a person. */
export async function writeAgain(site: Site, name: string, text: string, id = 1) {
  const { email, reference } = await site.lead(name)
  const headers = { From: email, 'Message-ID': `<${id}.${name}@x.example>`, Subject: `Re: ${reference}` }
  await receive(site, headers, text)
}
