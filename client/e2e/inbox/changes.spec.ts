import type { Page } from '@playwright/test'
import { markLead } from '../../../server/inbox/leads/change-lead.ts'
import { ben, choose, expect, heading, openReply, press, stayOnLead, test } from './test.ts'

test.beforeEach(({ context }) => stayOnLead(context))

const inMenu = (name: string) => (page: Page) => choose(page, name)
const followUp = async (page: Page) => {
  await choose(page, 'Follow up on…')
  await page.getByRole('button', { name: /Next workday/ }).click()
}
const answered = async (page: Page) => {
  await choose(page, 'I answered elsewhere…')
  await press(page, 'Now')
}
const shown = (page: Page, state: string) => page.locator(`main article [data-state=${state}]`)

// Open with a failed answer, suspected of being spam, answered with a follow-up, and marked as spam.
const changes: [string, ...((page: Page) => Promise<unknown>)[]][] = [
  ['Luis', answered, inMenu('Won: the job is ours'), inMenu('Lost'), inMenu('Spam'), followUp],
  ['Robert', (page) => press(page, 'Not spam'), (page) => press(page, 'Spam')],
  ['Pat', inMenu('Reopen'), inMenu('Remove the follow-up')],
  ['Vera', inMenu('Not spam: reopen')],
]

test('every change to a request can be undone from the notice about it, again if the server cannot undo it yet', async ({
  page,
  site,
}) => {
  const json = { detail: 'Please try again.' }
  await page.route('**/undo', (route) => route.fulfill({ status: 503, json }), { times: 1 })
  await page.goto(await site.path('Dana'))
  await choose(page, 'Won: the job is ours')
  await press(page, 'Undo')
  await expect(page.getByText(json.detail)).toBeVisible()
  await press(page, 'Try again')
  await expect(page.getByText('Undone.')).toBeVisible()

  for (const [name, ...steps] of changes) {
    await page.goto(await site.path(name))
    for (const change of steps) {
      const { version, ...before } = await site.lead(name)
      await change(page)
      await press(page, 'Undo')
      await expect(page.getByText('Undone.')).toBeVisible()
      expect(await site.lead(name)).toEqual({ ...before, version: version + 2 })
      await press(page, 'Dismiss')
    }
  }
})

/** Holds back the page's changes of state until the result is called. */
async function holdChanges(page: Page) {
  const gate = Promise.withResolvers<void>()
  await page.route('**/state', (route) => gate.promise.then(() => route.continue()))
  return gate.resolve
}

test('a change shows before the server responds, and the next one waits for it and builds on it', async ({
  page,
  site,
}) => {
  const release = await holdChanges(page)
  const sent: string[] = []
  page.on('request', (request) => request.url().endsWith('/state') && sent.push(request.postDataJSON().state))
  await page.goto(await site.path('Dana'))

  await answered(page)
  await expect(shown(page, 'answered')).toBeVisible()
  await choose(page, 'Won: the job is ours')
  await expect(shown(page, 'won')).toBeVisible()
  await expect(page.getByText('Saving…')).toBeVisible()
  expect(sent).toEqual(['answered'])
  release()

  await expect.poll(async () => (await site.lead('Dana')).state).toBe('won')
  expect((await site.lead('Dana')).version).toBe(2)
  await expect(page.getByText('Live', { exact: true })).toBeVisible()
})

test('if two changes are lost on their way, the page shows neither', async ({ page, site }) => {
  await page.goto(await site.path('Erin'))
  await expect(shown(page, 'won')).toBeVisible()
  const gate = Promise.withResolvers<void>()
  await page.route('**/state', (route) => gate.promise.then(() => route.abort()))
  await page.route('**/api/leads/*', (route) => route.abort())
  await choose(page, 'Lost')
  await choose(page, 'Spam')
  await expect(shown(page, 'spam')).toBeVisible()
  gate.resolve()

  await expect(page.getByText('Erin Walsh: not changed. The server cannot be reached.')).toHaveCount(1)
  await expect(shown(page, 'won')).toBeVisible()
})

test('if another owner is faster, a notice says why a change was rejected, and the page shows what is true', async ({
  page,
  site,
}) => {
  const release = await holdChanges(page)
  await page.goto(await site.path('Dana'))
  await choose(page, 'Won: the job is ours')
  await expect(shown(page, 'won')).toBeVisible()
  await site.by(ben, 'Dana', markLead, { state: 'lost' })
  release()

  await expect(page.getByText('This lead has changed. Look at it again before you go on.')).toBeVisible()
  await expect(shown(page, 'lost')).toBeVisible()
})

test.describe('in a time zone where it is already the next day', () => {
  test.use({ timezoneId: 'Pacific/Auckland' })

  test('"Next workday" still counts from today at the office', async ({ page, site }) => {
    await page.goto(await site.path('Dana'))
    await followUp(page)

    await expect.poll(async () => (await site.lead('Dana')).follow_up_on).toBe('2026-03-05')
  })
})

const pressWithKeyboard = async (page: Page, name: string) => {
  await page.getByRole('button', { name, exact: true }).focus()
  await page.keyboard.press('Enter')
}

test('a notice that the owner closes moves focus to what it was about, and one that disappears by itself does not', async ({
  page,
  context,
  site,
}) => {
  // The headless shell allows copying only with this permission.
  await context.grantPermissions(['clipboard-write'])
  await page.goto(await site.path('Dana'))
  const dismiss = page.getByRole('button', { name: 'Dismiss' })
  for (const button of ['Undo', 'Dismiss']) {
    await choose(page, 'Won: the job is ours')
    await pressWithKeyboard(page, button)
    await expect(heading(page, 'Dana Whitfield')).toBeFocused()
    if (button === 'Undo') await dismiss.click()
  }

  await choose(page, 'Copy everything')
  await dismiss.waitFor()
  await page.evaluate(() => (document.activeElement as HTMLElement).blur())
  await page.mouse.move(0, 0)
  await page.clock.runFor(13_000)
  await expect(dismiss).toHaveCount(0)
  expect(await page.evaluate(() => document.activeElement?.localName)).toBe('body')

  await choose(page, 'Copy everything')
  await page.getByRole('link', { name: 'Inbox' }).click()
  // Beside a lead, the list's heading has a lower level.
  await page.getByRole('heading', { name: 'Open requests', level: 1 }).waitFor()
  await pressWithKeyboard(page, 'Dismiss')
  await expect(heading(page, 'Open requests')).toBeFocused()
})

test('on a phone and on a wide screen, an open sheet repeats the warnings that it covers, and they are announced only once', async ({
  page,
  context,
  site,
}) => {
  await page.setViewportSize({ width: 390, height: 780 })
  await site.signIn(context, { minutesAgo: 30 * 24 * 60 - 1, seenMinutesAgo: 1 })
  await openReply(page, site)
  const sheet = page.getByRole('dialog')
  await expect(sheet.getByText("You'll be signed out in about a minute.")).toBeVisible()
  await expect(sheet.getByText(/out of date/)).toHaveCount(0)
  await context.setOffline(true)
  for (const width of [390, 1280]) {
    await page.setViewportSize({ width, height: 780 })
    await expect(sheet.getByText('Offline: this page may be out of date')).toBeVisible()
    await expect(sheet.getByText("You'll be signed out in about a minute.")).toBeVisible()
  }

  const nested = ':is([role=status], [role=alert]) :is([role=status], [role=alert])'
  await expect(sheet.locator(nested)).toHaveCount(0)
  await expect(sheet.getByRole('status').filter({ hasText: 'Offline' })).toHaveCount(1)
})
