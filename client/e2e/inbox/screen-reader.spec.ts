import type { Page } from '@playwright/test'
import { CODE_WRONG } from '#shared/inbox/api.ts'
import { eraseLeads } from '../../../server/leads/erase/erase-leads.ts'
import { boxOf } from '../look.ts'
import {
  anna,
  answerBox,
  choose,
  confirmErasing,
  expect,
  heading,
  open,
  openLead,
  openReply,
  press,
  signInWithCode,
  test,
  writeAgain,
} from './test.ts'

const alert = (page: Page, text: string) => page.getByRole('alert').filter({ hasText: text })
const status = (page: Page, text: string) => page.getByRole('status').filter({ hasText: text })

test('a message that comes while its conversation is in view is announced', async ({ page, site }) => {
  await openLead(page, site, 'Dana')
  for (const [number, words] of ['1 new message', '2 new messages'].entries()) {
    await writeAgain(site, 'Dana', 'Are you there?', number)
    await expect(status(page, words)).toHaveCount(1)
  }
})

test('what is wrong with an entry is announced', async ({ page, context, site }) => {
  await openLead(page, site, 'Dana')
  await choose(page, 'Erase this person…')
  await page.keyboard.type('dana')
  await page.keyboard.press('Enter')
  await expect(alert(page, 'To erase this person, type dana@example.com.')).toBeVisible()

  await context.clearCookies()
  await page.goto('/inbox')
  await page.getByLabel('Your email address').fill(anna)
  await press(page, 'Email me a code')
  await page.getByLabel('Code').fill('2222-2222')
  await expect(alert(page, CODE_WRONG)).toBeVisible()
})

test('whoever asks for another code keeps the address and the focus, and begins at the heading then', async ({
  page,
  context,
  site,
}) => {
  await context.clearCookies()
  await page.goto('/inbox')
  const address = page.getByLabel('Your email address')
  await address.fill(anna)
  await press(page, 'Email me a code')
  await press(page, 'No email? Ask again or use another address')
  await expect(address).toBeFocused()
  await expect(address).toHaveValue(anna)

  await signInWithCode(page, site)
  await expect(heading(page, 'Requests: Open')).toBeFocused()
  await context.clearCookies()
  await page.goto(await site.path('Dana'))
  await signInWithCode(page, site, anna)
  await expect(page.getByRole('main')).toBeFocused()
})

test('the form to sign in gets the focus after a link that does not work', async ({ page, context }) => {
  await context.clearCookies()
  await page.goto('/inbox#link=wrong')
  await press(page, 'Continue in this browser')
  await expect(heading(page, 'Sign in')).toBeFocused()
})

test('if somebody else erases the request that is open, the focus goes to what is there instead', async ({
  page,
  site,
}) => {
  await openLead(page, site, 'Dana')
  await page.getByRole('button', { name: 'Reply' }).focus()
  const { id } = await site.lead('Dana')
  await site.run(({ db, now, env }) => eraseLeads({ db, mailDir: env.DATA_DIR, now: now() }, [id]))
  await expect(heading(page, 'Nothing here')).toBeFocused()
})

test('a request that is not in the list gets the focus once it is loaded', async ({ page, site }) => {
  await openLead(page, site, 'Dana')
  const [, earlier] = await site.leads('Dana')
  await page.getByRole('link', { name: 'Aug 26, 2025' }).press('Enter')
  await expect(page.getByText(String(earlier?.reference), { exact: true })).toBeVisible()
  await expect(heading(page, 'Dana Whitfield')).toBeFocused()
})

test('so does the page instead of one that was erased meanwhile', async ({ page, site }) => {
  await openLead(page, site, 'Dana')
  const [, earlier] = await site.leads('Dana')
  await page.route(`**/api/leads/${earlier?.reference}*`, (route) => route.fulfill({ status: 404 }))
  await page.getByRole('link', { name: 'Aug 26, 2025' }).press('Enter')
  await expect(heading(page, 'Nothing here')).toBeFocused()
})

test('a request that is loaded late does not take the focus from who types meanwhile', async ({
  page,
  site,
}) => {
  await openLead(page, site, 'Dana')
  const [, earlier] = await site.leads('Dana')
  const { promise, resolve } = Promise.withResolvers<void>()
  await page.route(`**/api/leads/${earlier?.reference}*`, async (route) => {
    await promise
    await route.continue()
  })
  await page.getByRole('link', { name: 'Aug 26, 2025' }).press('Enter')
  await page.getByRole('searchbox').pressSequentially('Er')
  resolve()
  await expect(heading(page, 'Dana Whitfield')).toBeVisible()
  await expect(page.getByText(String(earlier?.reference), { exact: true })).toBeVisible()
  await expect(page.getByRole('searchbox')).toBeFocused()
})

test('an erasure is announced once its sheet no longer covers the page', async ({ page, site }) => {
  await openLead(page, site, 'Dana')
  await page.evaluate(() => {
    new MutationObserver(() => {
      const isSaid = document.body.textContent.includes('has been erased')
      if (isSaid && document.querySelector('dialog[open]')) document.body.dataset.covered = ''
    }).observe(document.body, { childList: true, subtree: true })
  })
  await choose(page, 'Erase this person…')
  await confirmErasing(page, 'dana@example.com')
  await expect(page.getByText('Dana Whitfield has been erased.')).toBeVisible()
  await expect(page.locator('[data-covered]')).toHaveCount(0)
})

test('a notice does not repeat the one above it', async ({ page, site }) => {
  await openReply(page, site)
  await answerBox(page).fill('Yes, we can.')
  await press(page, 'Send')
  // By default, all of a status is announced whenever a part of it changes.
  await expect(status(page, 'Sending your answer')).toHaveAttribute('aria-atomic', 'false')
})

test('that nothing is found is announced by what was there before', async ({ page }) => {
  await open(page, '/inbox')
  // Most screen readers ignore a status that comes together with its text.
  await page.evaluate(() => {
    for (const status of document.querySelectorAll('[role=status]')) status.setAttribute('data-before', '')
  })
  await page.getByLabel('Search all requests').fill('xyzzy')
  await expect(page.locator('[data-before]').filter({ hasText: 'Nothing found.' })).toBeVisible()
})

test('the title says which page it is', async ({ page, site }) => {
  const { reference } = await site.lead('Dana')
  for (const [path, name] of [
    ['', 'Inbox'],
    ['/figures', 'Inbox, Figures'],
    ['/access', 'Inbox, Access'],
    [`/${reference}`, `Inbox, ${reference}`],
  ]) {
    await open(page, `/inbox${path}`)
    await expect(page).toHaveTitle(new RegExp(`^\\(5\\) ${name}: `))
  }
})

test('who asks for more requests with the keyboard goes on at the first of them', async ({ page, site }) => {
  const { list: _, ...won } = await site.lead('Erin')
  const others = Array.from({ length: 120 }, (_, index) => ({
    ...won,
    id: `z${1000 + index}`,
    reference: `Q-${1000 + index}-MANY`,
  }))
  await site.db.insertInto('leads').values(others).execute()
  await open(page, '/inbox?view=won')
  await page.getByRole('button', { name: 'Show more' }).press('Enter')
  const boxes = page.getByRole('checkbox')
  await expect(boxes).toHaveCount(121)
  await page.keyboard.press('Tab')
  await expect(boxes.nth(100)).toBeFocused()
})

test('the line that is typed is never behind the buttons', async ({ page, site }) => {
  await openReply(page, site)
  // The second is a window of 1280 x 1024 at 400% zoom.
  for (const size of [
    { width: 390, height: 700 },
    { width: 320, height: 256 },
  ]) {
    await page.setViewportSize(size)
    await answerBox(page).fill('Yes\n'.repeat(30))
    await page.keyboard.type('Anna')
    const { bottom } = await boxOf(page, '#answer')
    // The last line stands above the padding of the box.
    expect(bottom - 16).toBeLessThan((await boxOf(page, 'dialog [type=submit]')).y)
  }
})
