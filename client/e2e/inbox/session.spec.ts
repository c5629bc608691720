import type { Page } from '@playwright/test'
import { CODE_ELSEWHERE, CODE_WRONG, showCode } from '#shared/inbox/api.ts'
import { createSignInLink } from '../../../server/inbox/sign-in/codes.ts'
import {
  anna,
  answerBox,
  ben,
  expect,
  openReply,
  press,
  row,
  type Site,
  signInWithCode,
  test,
  waitForApplication,
} from './test.ts'

const endedDialog = (page: Page) => page.getByRole('dialog', { name: 'Please sign in again' })
// Longer than the page waits between two checks of its session.
const NEXT_CHECK_MS = 31_000
const DAY = 24 * 60

/** Ends all sessions, as if another owner had signed these devices out, and lets the page check its own. */
async function endSessions(page: Page, site: Site) {
  await site.signAllOut()
  await site.advance(NEXT_CHECK_MS, page.context())
  await expect(endedDialog(page)).toBeVisible()
}

test('when a session ends, a dialog that cannot be closed asks the owner to sign in again, and what was typed is kept', async ({
  page,
  site,
}) => {
  const pressEscape = async () => {
    for (let times = 0; times < 10; times++) await page.keyboard.press('Escape')
  }
  const isModal = () => endedDialog(page).evaluate((dialog) => dialog.matches(':modal'))
  await openReply(page, site)
  await answerBox(page).fill('Half an answer')
  await endSessions(page, site)
  await pressEscape()
  await signInWithCode(page, site, anna)
  await expect(endedDialog(page)).toBeHidden()
  await expect(answerBox(page)).toHaveValue('Half an answer')
  await expect.poll(() => site.draft('Dana')).toBe('Half an answer')

  // Some browsers let it be closed. Then it reopens as it was.
  await endSessions(page, site)
  await page.getByLabel('Your email address').fill(anna)
  await endedDialog(page).evaluate((dialog) => dialog.removeAttribute('closedby'))
  await pressEscape()
  await expect.poll(isModal).toBe(true)
  await expect(page.getByLabel('Your email address')).toHaveValue(anna)
})

test("if another owner signs in, the page no longer shows the first owner's unsaved draft, and doesn't save it as the other's", async ({
  page,
  context,
  site,
}) => {
  await openReply(page, site)
  await endSessions(page, site)
  await answerBox(page).evaluate((box: HTMLTextAreaElement) => {
    box.value = 'Only Anna may read this.'
    box.dispatchEvent(new Event('input', { bubbles: true }))
  })
  const reloaded = page.waitForEvent('load')
  await site.signIn(context, { owner: ben })
  await site.advance(NEXT_CHECK_MS, context)
  await reloaded

  await expect(row(page, 'Dana Whitfield')).toBeVisible()
  await press(page, 'Reply')
  await expect(answerBox(page)).toHaveValue(/^Hello Dana/)
  const drafts = site.db.selectFrom('lead_drafts').select('text').where('owner', '=', ben)
  expect(await drafts.execute()).toEqual([])
})

test('an owner can extend a session that is about to end, from an open sheet or with a link in another tab', async ({
  page,
  context,
  site,
}) => {
  await page.setViewportSize({ width: 390, height: 780 })
  await site.signIn(context, { minutesAgo: 30 * DAY - 1, seenMinutesAgo: 1 })
  await openReply(page, site)
  await answerBox(page).fill('Half an answer')
  await page.getByRole('dialog').getByRole('button', { name: 'Stay signed in' }).click()
  await signInWithCode(page, site)
  await expect(page.getByText("You'll be signed out in about a minute.")).toHaveCount(0)
  await expect(answerBox(page)).toHaveValue('Half an answer')
  await expect(page.getByRole('dialog')).toHaveCount(1)
  await press(page, 'Close')

  await site.signIn(context, { minutesAgo: 30 * DAY - 2, seenMinutesAgo: 1 })
  await site.advance(NEXT_CHECK_MS, context)
  await press(page, 'Stay signed in')
  await expect(page.getByRole('dialog', { name: "Confirm it's you" })).toBeVisible()
  const { url } = await createSignInLink(site.db, anna, site.url, site.now())
  const tab = await context.newPage()
  await tab.goto(url)
  await waitForApplication(tab)
  // A check that the new session overtakes finds nobody signed in. The next one, half a minute later, finds it.
  const dialogs = async () => {
    await page.clock.runFor(5_000)
    return page.getByRole('dialog').count()
  }
  await expect.poll(dialogs).toBe(0)
})

test('a session counts as used only while the owner does something on the page', async ({
  page,
  context,
  site,
}) => {
  const lastUse = async () => {
    const annas = site.db.selectFrom('sessions').select('seen_at').where('owner', '=', anna)
    return (await annas.executeTakeFirstOrThrow()).seen_at
  }
  const before = await lastUse()
  await page.goto('/inbox')
  await waitForApplication(page)

  await site.advance(2 * 60_000, context)
  const checked = page.waitForResponse('**/api/session')
  await site.advance(3_600_000, context)
  await checked
  expect(await lastUse()).toBe(before)

  await page.keyboard.press('Shift')
  await site.advance(NEXT_CHECK_MS, context)
  await expect.poll(lastUse).not.toBe(before)
})

/** Asks for a code, and returns the link in the email. */
async function askForLink(page: Page, site: Site) {
  await page.goto('/inbox')
  await page.getByLabel('Your email address').fill(anna)
  return site.textInEmail(/http\S+#code=\S+/, () => press(page, 'Email me a code'))
}

/** Loads the page, as a link in an email does. Otherwise, only the fragment could change. */
async function open(page: Page, link: string) {
  await page.goto('about:blank')
  await page.goto(link)
}

test('a link from an email signs in the browser that asked for it, shows the code in another, and works once', async ({
  page,
  context,
  site,
  browser,
}) => {
  const signedIn = page.getByText('Dana Whitfield')
  const laptop = await browser.newPage({ baseURL: site.url })
  await context.clearCookies()
  const link = await askForLink(page, site)

  await open(laptop, link)
  const [, code = ''] = link.split('#code=')
  await expect(laptop.getByText(showCode(code))).toBeVisible()
  await expect(laptop.getByText(CODE_ELSEWHERE)).toBeVisible()
  expect(laptop.url()).not.toContain(code)
  await open(page, link)
  await expect(signedIn).toBeVisible()
  expect(new URL(page.url()).pathname).toBe('/inbox')
  await open(page, link)
  await expect(page.getByRole('heading', { name: 'This link does not work' })).toBeVisible()
  await expect(page.getByText(CODE_WRONG)).toBeVisible()

  const elsewhere = await askForLink(laptop, site)
  await context.clearCookies({ name: /sign-in/ })
  await open(page, elsewhere)
  await press(page, 'Continue in this browser')
  await expect(signedIn).toBeVisible()
  await laptop.close()
})

test('a link of another owner that is opened while an owner is signed in switches to its owner', async ({
  page,
  site,
}) => {
  await page.goto('/inbox')
  await expect(row(page, 'Dana Whitfield')).toBeVisible()
  const { url } = await createSignInLink(site.db, ben, site.url, site.now())
  // The page reloads, so that nothing of the first owner's stays in memory.
  const reloaded = page.waitForEvent('load')
  // Only the fragment changes.
  await page.goto(url.replace('/sign-in#', '#'))
  await reloaded
  await expect(row(page, 'Dana Whitfield')).toBeVisible()
  expect(page.url()).not.toContain('#')
  const annas = site.db.selectFrom('sessions').select('id').where('owner', '=', anna)
  expect(await annas.execute()).toEqual([])
})
