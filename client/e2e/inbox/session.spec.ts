import type { Page } from '@playwright/test'
import { createSignInLink } from '../../../server/inbox/sign-in/codes.ts'
import {
  anna,
  answerBox,
  ben,
  expect,
  openReply,
  press,
  row,
  signInWithCode,
  test,
  waitForApplication,
  waitForStream,
} from './test.ts'

const endedDialog = (page: Page) => page.getByRole('dialog', { name: 'Please sign in again' })
const isModal = (page: Page) => endedDialog(page).evaluate((dialog) => dialog.matches(':modal'))
// Longer than the page waits between two checks of its session.
const NEXT_CHECK_MS = 31_000
const DAY = 24 * 60

test('when a session ends, a dialog asks the owner to sign in again, and what was typed is kept', async ({
  page,
  site,
}) => {
  await openReply(page, site)
  await answerBox(page).fill('Half an answer')
  await site.signAllOut()

  await expect(endedDialog(page)).toBeVisible()
  await signInWithCode(page, site, anna)

  await expect(endedDialog(page)).toBeHidden()
  await expect(answerBox(page)).toHaveValue('Half an answer')
  await expect.poll(() => site.draft('Dana')).toBe('Half an answer')
})

test('Escape does not close the dialog about the ended session, or if the browser lets it, the dialog reopens as it was', async ({
  page,
  site,
}) => {
  const address = page.getByLabel('Your email address')
  await page.goto('/inbox')
  await waitForStream(page)
  await site.signAllOut()
  await address.fill(anna)
  await endedDialog(page).evaluate((dialog) =>
    dialog.addEventListener('close', () => dialog.setAttribute('data-closed', '')),
  )

  for (let times = 0; times < 10; times++) await page.keyboard.press('Escape')
  await expect(endedDialog(page)).not.toHaveAttribute('data-closed')
  expect(await isModal(page)).toBe(true)

  await endedDialog(page).evaluate((dialog) => dialog.removeAttribute('closedby'))
  for (let times = 0; times < 10; times++) await page.keyboard.press('Escape')
  await expect.poll(() => isModal(page)).toBe(true)
  await expect(address).toHaveValue(anna)
})

test("if another owner signs in, the page no longer shows the first owner's unsaved draft, and doesn't save it as the other's", async ({
  page,
  context,
  site,
}) => {
  await openReply(page, site)
  await site.signAllOut()
  await expect(endedDialog(page)).toBeVisible()
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
  expect(await site.db.selectFrom('lead_drafts').select('text').where('owner', '=', ben).execute()).toEqual(
    [],
  )
})

test('an owner can extend a session that is about to end, from an open sheet or with a link in another tab', async ({
  page,
  context,
  site,
}) => {
  await page.setViewportSize({ width: 390, height: 780 })
  const confirm = page.getByRole('dialog', { name: "Confirm it's you" })
  const ending = page.getByText("You'll be signed out in about a minute.")
  await site.signIn(context, { minutesAgo: 30 * DAY - 1, seenMinutesAgo: 1 })
  await openReply(page, site)
  await answerBox(page).fill('Half an answer')

  await test.step('from an open sheet', async () => {
    await page.getByRole('dialog').getByRole('button', { name: 'Stay signed in' }).click()
    await signInWithCode(page, site)
    await expect(confirm).toHaveCount(0)
    await expect(ending).toHaveCount(0)
    await expect(answerBox(page)).toHaveValue('Half an answer')
    await press(page, 'Close')
  })

  await test.step('with a link in another tab', async () => {
    await site.signIn(context, { minutesAgo: 30 * DAY - 2, seenMinutesAgo: 1 })
    await site.advance(NEXT_CHECK_MS, context)
    await press(page, 'Stay signed in')
    await expect(confirm).toBeVisible()
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
