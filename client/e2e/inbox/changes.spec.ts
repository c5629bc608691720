import type { Page } from '@playwright/test'
import { markLead } from '../../../server/inbox/leads/change-lead.ts'
import { ben, choose, expect, heading, press, row, type Site, test } from './test.ts'

const inMenu = (name: string) => (page: Page) => choose(page, name)
const followUp = async (page: Page) => {
  await choose(page, 'Follow up on…')
  await page.getByRole('button', { name: /Tomorrow/ }).click()
}
const inPanel = (name: string) => (page: Page) => press(page, name)
const shown = (page: Page, state: string) => page.locator(`main article [data-state=${state}]`)

// Open with a failed answer, suspected of being spam, answered with a follow-up, won, and marked as spam.
const everyChange: Record<string, ((page: Page) => Promise<void>)[]> = {
  Luis: [
    inMenu('I answered elsewhere'),
    inMenu('Won: the job is ours'),
    inMenu('Lost'),
    inMenu('Spam'),
    followUp,
  ],
  Robert: [inPanel('Not spam'), inPanel('Spam'), inMenu('I answered elsewhere'), followUp],
  Pat: [inMenu('Reopen'), inMenu('Remove the follow-up'), inMenu('Spam'), followUp],
  Erin: [inMenu('Reopen'), inMenu('Lost'), inMenu('Spam')],
  Vera: [inMenu('Not spam: reopen')],
}

for (const [name, changes] of Object.entries(everyChange))
  test(`every change to the request of ${name} can be undone from the notice about it`, async ({
    page,
    site,
  }) => {
    await page.goto(await site.path(name))

    for (const change of changes) {
      const { version, ...before } = await site.lead(name)
      await change(page)
      await press(page, 'Undo')
      await expect(page.getByText('Undone.')).toBeVisible()
      expect(await site.lead(name)).toEqual({ ...before, version: version + 2 })
      await press(page, 'Dismiss')
    }
  })

/** Holds back the page's changes of state until the result is called. */
async function holdChanges(page: Page) {
  const gate = Promise.withResolvers<void>()
  await page.route('**/state', async (route) => {
    await gate.promise
    await route.continue()
  })
  return gate.resolve
}

const marksOf = async (site: Site, name: string) => {
  const { id } = await site.lead(name)
  const events = site.db.selectFrom('lead_events').select('to_value').where('lead_id', '=', id)
  return (await events.where('what', '=', 'state').orderBy('id').execute()).map(({ to_value }) => to_value)
}

test('a change shows before the server responds, and the next one waits for it and builds on it', async ({
  page,
  site,
}) => {
  const release = await holdChanges(page)
  await page.goto(await site.path('Dana'))

  await choose(page, 'I answered elsewhere')
  await expect(shown(page, 'answered')).toBeVisible()
  await choose(page, 'Won: the job is ours')
  await expect(shown(page, 'won')).toBeVisible()
  await expect(page.getByText('Saving…')).toBeVisible()
  expect(await marksOf(site, 'Dana')).toEqual([])
  release()

  await expect.poll(() => marksOf(site, 'Dana')).toEqual(['answered', 'won'])
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

  await expect(page.getByText('The server cannot be reached.')).toHaveCount(2)
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

test('if the server cannot undo a change, Undo is offered again', async ({ page, site }) => {
  await page.goto(await site.path('Dana'))
  await choose(page, 'Won: the job is ours')
  const detail = 'Please try again.'
  await page.route('**/undo', (route) => route.fulfill({ status: 503, json: { detail } }), { times: 1 })

  await press(page, 'Undo')
  await expect(page.getByText(detail)).toBeVisible()
  await press(page, 'Undo')
  await expect(page.getByText('Undone.')).toBeVisible()
})

test('after "Not spam", beside the message or in the menu, the owner can send the withheld receipt', async ({
  page,
  site,
}) => {
  const sendReceipt = page.getByRole('button', { name: 'Send the receipt' })
  await page.goto(`${await site.path('Robert')}?view=all`)
  await expect(heading(page, 'This may be spam')).toBeVisible()
  await expect(sendReceipt).toHaveCount(0)

  await press(page, 'Not spam')
  await expect(sendReceipt).toBeVisible()
  await choose(page, 'Spam')
  await expect(sendReceipt).toHaveCount(0)
  await choose(page, 'Not spam: reopen')
  await sendReceipt.click()

  await expect(page.getByText('The receipt is on its way to robert@example.com.')).toBeVisible()
  await expect(sendReceipt).toHaveCount(0)
  await expect(page.getByText('Receipt to robert@example.com: accepted by the mail server')).toBeVisible()
  await page.getByRole('link', { name: /^Open/ }).click()
  await expect(row(page, 'Robert Smith')).toBeVisible()
})

test.describe('in a time zone where it is already the next day', () => {
  test.use({ timezoneId: 'Pacific/Auckland' })

  test('"Tomorrow" still means tomorrow at the office', async ({ page, site }) => {
    await page.goto(await site.path('Dana'))

    await followUp(page)

    await expect.poll(async () => (await site.lead('Dana')).follow_up_on).toBe('2026-03-05')
  })
})
