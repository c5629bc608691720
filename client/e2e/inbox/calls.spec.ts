import { openingOn } from '#shared/office-time.ts'
import { followUp, markLead } from '../../../server/leads/change/mark-lead.ts'
import { anna, choose, expect, heading, openLead, press, test, writeAgain } from './test.ts'

test('a follow-up of an answered request offers the call, with the cursor in its note', async ({
  page,
  context,
  site,
}) => {
  await site.by(anna, 'Marcus', markLead, { state: 'answered' })
  await site.by(anna, 'Marcus', followUp, { at: new Date(site.now().getTime() + 60_000).toISOString() })
  await site.advance(120_000, context)
  await openLead(page, site, 'Marcus')
  await choose(page, 'Called, no answer…')
  await expect(page.getByLabel('Note')).toBeFocused()
  await press(page, 'Close')
  await choose(page, 'I answered elsewhere…')
  await press(page, 'Now')
  await expect(page.getByText('Marcus Oyelaran: marked as answered.')).toBeVisible()
  expect(await site.lead('Marcus')).toMatchObject({ state: 'answered', follow_up_at: null })
})

test('whoever opens another sheet just after a call is not asked about the call anymore', async ({
  page,
  site,
}) => {
  await openLead(page, site, 'Marcus')
  for (const key of ['c', 'f', 'Escape']) await page.keyboard.press(key)
  await page.clock.runFor(1_000)
  await expect(page.getByRole('dialog')).toHaveCount(0)
})

test('a sheet that asks about a call says what the person has written meanwhile', async ({ page, site }) => {
  await openLead(page, site, 'Dana')
  await choose(page, 'I answered elsewhere…')
  const sheet = page.getByRole('dialog')
  await expect(sheet.getByRole('alert')).toBeEmpty()

  await writeAgain(site, 'Dana', 'Please call me at another number.')

  await expect(sheet.getByRole('alert')).toHaveText('Dana Whitfield wrote again.')
})

test.describe('on a phone', () => {
  test.use({ hasTouch: true, isMobile: true, viewport: { width: 390, height: 780 } })

  test('one tap says that a call reached the person', async ({ page, site }) => {
    await openLead(page, site, 'Dana')
    await page.getByRole('link', { name: /^Call / }).tap()
    await expect(page.getByRole('dialog', { name: 'Did you reach Dana Whitfield?' })).toBeVisible()
    await page.getByLabel('Note').fill('She wants a shop.')
    await page.getByRole('button', { name: 'Now', exact: true }).tap()
    await expect(page.getByText('marked as answered')).toBeVisible()
    await expect.poll(async () => (await site.lead('Dana')).state).toBe('answered')
    await openLead(page, site, 'Dana')
    await expect(page.getByText(/^By phone, .* She wants a shop\.$/)).toBeVisible()
    await choose(page, 'Add a note')
    await expect(page.getByRole('textbox', { name: 'Note' })).toHaveValue('')
  })

  test('after a voicemail, a note and when to try again are four presses', async ({ page, site }) => {
    await openLead(page, site, 'Marcus')
    await page.getByRole('link', { name: /^Call / }).tap()
    await page.getByLabel('Note').tap()
    await page.keyboard.type('Voicemail, he is back at 9.')
    await page.getByRole('button', { name: /^Tomorrow morning/ }).tap()
    await expect(page.getByText(/^Marcus Oyelaran: follow-up set for .* tomorrow\.$/)).toBeVisible()
    await expect(heading(page, 'Dana Whitfield')).toBeVisible()
    const opens = openingOn('2026-03-05').toISOString()
    expect(await site.lead('Marcus')).toMatchObject({ state: 'open', follow_up_at: opens })

    await openLead(page, site, 'Marcus')
    await expect(page.getByText('Called, no answer. Voicemail, he is back at 9.')).toBeVisible()
    await choose(page, 'Add a note')
    await expect(page.getByRole('textbox', { name: 'Note' })).toHaveValue('')
    await press(page, 'Close')
    await choose(page, 'Called, no answer…')
    await page.getByRole('button', { name: 'In 2 hours' }).tap()
    await expect(page.getByText('Marcus Oyelaran: follow-up set for')).toBeVisible()
  })

  test('a call about an answered request ends its follow-up, or puts it off', async ({ page, site }) => {
    const later = new Date(site.now().getTime() + 86_400_000).toISOString()
    await site.by(anna, 'Marcus', markLead, { state: 'answered' })
    await site.by(anna, 'Marcus', followUp, { at: later })
    await openLead(page, site, 'Marcus')
    await choose(page, 'Called, no answer…')
    await page.getByRole('button', { name: 'In 2 hours' }).tap()
    await expect.poll(async () => (await site.lead('Marcus')).follow_up_at).not.toBe(later)
    // It was not in the list, so the first one is next.
    await expect(heading(page, 'Luis Aguilar')).toBeVisible()

    await openLead(page, site, 'Marcus')
    await page.getByRole('link', { name: /^Call / }).tap()
    await page.getByRole('button', { name: 'Now', exact: true }).tap()
    await expect(page.getByText('Reached by phone.')).toBeVisible()
    expect(await site.lead('Marcus')).toMatchObject({ state: 'answered', follow_up_at: null })
  })
})
