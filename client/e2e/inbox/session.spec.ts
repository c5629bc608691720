import type { Page, Route } from '@playwright/test'
import { CODE_ELSEWHERE, CODE_WRONG, showCode } from '#shared/inbox/api.ts'
import { createSignInLink } from '../../../server/inbox/sign-in/codes.ts'
import {
  anna,
  answerBox,
  ben,
  choose,
  expect,
  keptInBrowser,
  open,
  openReply,
  press,
  type Site,
  signInWithCode,
  test,
} from './test.ts'

const endedDialog = (page: Page) => page.getByRole('dialog', { name: 'Please sign in again' })
// Longer than the page waits between two checks of its session.
const NEXT_CHECK_MS = 31_000

/**
 * Ends all sessions, as if another owner had signed these devices
 * out, and lets the page check its own.
 */
async function endSessions(page: Page, site: Site) {
  await site.db.deleteFrom('sessions').execute()
  await site.advance(NEXT_CHECK_MS, page.context())
  await expect(endedDialog(page)).toBeVisible()
}

test('when a session ends, what was typed is kept', async ({ page, site }) => {
  await openReply(page, site)
  await answerBox(page).fill('Half an answer')
  await endSessions(page, site)
  for (let times = 0; times < 10; times++) await page.keyboard.press('Escape')
  await signInWithCode(page, site, anna)
  await expect(endedDialog(page)).toBeHidden()
  await expect(answerBox(page)).toHaveValue('Half an answer')
  await expect.poll(() => site.draft('Dana')).toBe('Half an answer')

  // Some browsers let it be closed. Then it reopens as it was.
  await endSessions(page, site)
  await page.getByLabel('Your email address').fill(anna)
  await endedDialog(page).evaluate((dialog: HTMLDialogElement) => dialog.close())
  await expect(endedDialog(page).and(page.locator(':modal'))).toBeVisible()
  await expect(page.getByLabel('Your email address')).toHaveValue(anna)
})

test('what was typed survives a session that ends and a reload, but not another owner or signing out', async ({
  page,
  context,
  site,
}) => {
  const notes = page.getByRole('textbox', { name: 'Note' })
  const typeUnsaved = async (answer: string) => {
    await openReply(page, site)
    await answerBox(page).fill(answer)
    await press(page, 'Close')
    await choose(page, 'Add a note')
    await notes.fill('Half a note')
  }
  const kept = async () => JSON.stringify((await keptInBrowser(page)).stored)
  await page.route('**/draft', (route) => route.abort())
  await typeUnsaved('Half an answer')
  await endSessions(page, site)
  await page.reload()
  await signInWithCode(page, site, anna)
  await press(page, 'Reply')
  await expect(answerBox(page)).toHaveValue('Half an answer')
  await page.unroute('**/draft')
  await answerBox(page).press('End')
  await expect.poll(() => site.draft('Dana')).toBe('Half an answer')
  await press(page, 'Close')
  await choose(page, 'Add a note')
  await expect(notes).toHaveValue('Half a note')
  await press(page, 'Save the note')
  await expect(page.getByText('note saved.')).toBeVisible()
  expect(await kept()).not.toContain('Half')

  await page.route('**/draft', (route) => route.abort())
  await typeUnsaved('Half a thought')
  expect(await kept()).toMatch(/Half a thought.*Half a note/)
  await site.signIn(context, { owner: ben })
  await page.reload()
  await expect.poll(kept).not.toContain('Half')
  await press(page, 'Reply')
  await expect(answerBox(page)).toHaveValue(/^Hello Dana/)

  await typeUnsaved('Half a reply')
  await press(page, 'Close')
  await press(page, 'Sign out')
  await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible()
  expect(await kept()).not.toContain('Half')
})

test('what was typed survives that the address of its owner is written in other letters', async ({
  page,
  context,
  site,
}) => {
  await openReply(page, site)
  await press(page, 'Close')
  await choose(page, 'Add a note')
  const note = page.getByRole('textbox', { name: 'Note' })
  await note.fill('Half a note')
  await page.route('**/api/session', async (route) => {
    const response = await route.fetch()
    const session = await response.json()
    await route.fulfill({ response, json: { ...session, owner: session.owner.toUpperCase() } })
  })

  const checked = page.waitForResponse('**/api/session')
  await site.advance(NEXT_CHECK_MS, context)
  await (await checked).finished()
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => setTimeout(done))))
  await expect(note).toHaveValue('Half a note')

  await page.reload()
  await choose(page, 'Add a note')
  await expect(note).toHaveValue('Half a note')
})

test('on a phone, the form to sign in again begins at the top', async ({ page, site }) => {
  await page.setViewportSize({ width: 390, height: 780 })
  await openReply(page, site)
  await endSessions(page, site)
  expect(await endedDialog(page).boundingBox()).toMatchObject({ y: 0, height: 780 })
})

test('what the page sends again after another owner has signed in is refused', async ({
  page,
  context,
  site,
}) => {
  await openReply(page, site)
  const onItsWay = async (route: Route) => {
    await site.signIn(context, { owner: ben })
    await route.abort()
  }
  await page.route('**/draft', onItsWay, { times: 1 })
  const [again] = await Promise.all([
    page.waitForResponse('**/draft'),
    answerBox(page).fill('Only Anna may read this.'),
  ])
  expect(again.status()).toBe(401)
  // The page loads again, for Ben.
  await expect(answerBox(page)).toBeHidden()
  await press(page, 'Reply')
  await expect(answerBox(page)).toHaveValue(/^Hello Dana/)
  const drafts = site.db.selectFrom('lead_drafts').select('text').where('owner', '=', ben)
  expect(await drafts.execute()).toEqual([])
})

test('a sheet repeats that the page is offline, which is announced only once', async ({
  page,
  context,
  site,
}) => {
  await openReply(page, site)
  const sheet = page.getByRole('dialog')
  await context.setOffline(true)
  for (const width of [390, 1280]) {
    await page.setViewportSize({ width, height: 780 })
    await expect(sheet.getByText('Offline: this page may be out of date')).toBeVisible()
  }

  const nested = ':is([role=status], [role=alert]) :is([role=status], [role=alert])'
  await expect(sheet.locator(nested)).toHaveCount(0)
  await expect(sheet.getByRole('status').filter({ hasText: 'Offline' })).toHaveCount(1)
})

test('a sign-in with a link elsewhere confirms who it is, too', async ({ page, context, site }) => {
  await site.signIn(context, { minutesAgo: 60 })
  await open(page, '/inbox/access')
  await press(page, 'Sign out Safari on iPhone')
  await page.getByRole('dialog').getByRole('button', { name: 'Sign out', exact: true }).click()
  await expect(page.getByRole('dialog', { name: "Confirm it's you" })).toBeVisible()
  const { url } = await createSignInLink(site.db, anna, site.url, site.now())
  const tab = await context.newPage()
  await tab.goto(url)
  await expect(tab.getByText('Dana Whitfield')).toBeVisible()
  await site.advance(NEXT_CHECK_MS, context)

  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'Sign out Safari on iPhone' })).toHaveCount(0)
})

test('a session counts as used only while the owner does something', async ({ page, context, site }) => {
  const lastUse = async () => {
    const annas = site.db.selectFrom('sessions').select('seen_at').where('owner', '=', anna)
    return (await annas.executeTakeFirstOrThrow()).seen_at
  }
  const before = await lastUse()
  await open(page, '/inbox')

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
async function openLink(page: Page, link: string) {
  await page.goto('about:blank')
  await page.goto(link)
}

test('a wrong code is tried only once, and another one can be asked for', async ({ page, context, site }) => {
  const tried: string[] = []
  page.on('request', (request) => {
    if (request.url().endsWith('/sign-in/code')) tried.push(request.postDataJSON().code)
  })
  await context.clearCookies()
  const busy = { status: 503, json: { detail: 'Too busy.' } }
  await page.route('**/api/sign-in', (route) => route.fulfill(busy), { times: 1 })
  await page.goto('/inbox')
  await press(page, 'Email me a code')
  await expect(page.getByText(busy.json.detail)).toBeVisible()
  await page.route('**/passkey/options', (route) => route.fulfill(busy))
  await press(page, 'Use a passkey')
  await expect(page.getByRole('alert')).toHaveText([busy.json.detail, busy.json.detail])
  await askForLink(page, site)
  await page.getByLabel('Code').fill('2222-2222')
  await expect(page.getByText(CODE_WRONG)).toBeVisible()
  await page.getByLabel('Code').fill('2222-2222 ')

  await press(page, 'No email? Ask again or use another address')
  await signInWithCode(page, site, anna)
  await expect(page.getByText('Dana Whitfield')).toBeVisible()
  expect(tried).toEqual(['2222-2222', expect.stringMatching(/^\w{4}-\w{4}$/)])
})

test('a link signs in one browser once, or switches the owner', async ({ page, context, site, browser }) => {
  const signedIn = page.getByText('Dana Whitfield')
  const laptop = await browser.newPage({ baseURL: site.url })
  await context.clearCookies()
  const link = await askForLink(page, site)

  await openLink(laptop, link)
  const [, code = ''] = link.split('#code=')
  await expect(laptop.getByText(showCode(code))).toBeVisible()
  await expect(laptop.getByText(CODE_ELSEWHERE)).toBeVisible()
  expect(laptop.url()).not.toContain(code)
  await openLink(page, link)
  await expect(signedIn).toBeVisible()
  expect(new URL(page.url()).pathname).toBe('/inbox')
  await page.goBack()
  expect(page.url()).toBe('about:blank')
  await openLink(page, link)
  await expect(page.getByRole('heading', { name: 'This link does not work' })).toBeVisible()
  await expect(page.getByText(CODE_WRONG)).toBeVisible()

  const elsewhere = await askForLink(laptop, site)
  await context.clearCookies({ name: /sign-in/ })
  await openLink(page, elsewhere)
  await press(page, 'Continue in this browser')
  await expect(signedIn).toBeVisible()
  await laptop.close()

  const annas = () => site.db.selectFrom('sessions').select('id').where('owner', '=', anna).execute()
  const before = (await annas()).length
  // Another owner's link, in the same tab: only the fragment changes.
  // The page reloads, so that nothing stays in memory.
  const { url } = await createSignInLink(site.db, ben, site.url, site.now())
  const reloaded = page.waitForEvent('load')
  await page.goto(url.replace('/sign-in#', '#'))
  await reloaded
  await expect(signedIn).toBeVisible()
  expect(page.url()).not.toContain('#')
  expect(await annas()).toHaveLength(before - 1)
})
