import type { Locator, Page } from '@playwright/test'
import { followUp, markLead } from '../../../server/leads/change/mark-lead.ts'
import { smallestPlan } from '../../../server/proof/testing/sample-plan.ts'
import { opening } from '../../src/inbox/words/times.ts'
import {
  anna,
  answerBox,
  choose,
  expect,
  heading,
  open,
  openLead,
  passTimeUntil,
  press,
  receive,
  row,
  type Site,
  test,
} from './test.ts'

const selected = (page: Page) => page.getByRole('region', { name: 'Selected requests' })
const undone = (page: Page) => expect(page.getByText('undone.')).toBeVisible()

test('after an action the next request opens, after the last the list', async ({ page, context, site }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.setViewportSize({ width: 390, height: 780 })
  await open(page, '/inbox')
  await page.route('**/result', (route) => route.abort(), { times: 1 })
  await row(page, 'Dana Whitfield').click()
  await choose(page, 'Lost')
  await expect(heading(page, 'Joanna Brandt-Featherstonehaugh')).toBeFocused()

  await test.step('the failure stays until it is repaired; other notices only cover it', async () => {
    const failure = page.getByText('Dana Whitfield: not changed. The server cannot be reached.')
    await page.clock.runFor(13_000)
    await expect(failure).toBeVisible()
    await choose(page, 'Copy everything')
    await expect(page.getByText('Copied.')).toBeVisible()
    const { reference, email, message } = await site.lead('Joanna')
    const copied = await page.evaluate(() => navigator.clipboard.readText())
    for (const text of [reference, email, message, smallestPlan.name]) expect(copied).toContain(text)
    await expect(failure).toHaveCount(0)
    await press(page, 'Dismiss')
    await press(page, 'Try again')
    await expect(page.getByText('Dana Whitfield: marked as lost.')).toBeVisible()
    await expect(failure).toHaveCount(0)
  })

  await press(page, 'Undo')
  await expect(heading(page, 'Dana Whitfield')).toBeFocused()
  await undone(page)
  await press(page, 'Reply')
  await answerBox(page).fill('Yes')
  await press(page, 'Send')
  await expect(heading(page, 'Joanna Brandt-Featherstonehaugh')).toBeVisible()
  await choose(page, 'I answered elsewhere…')
  await press(page, 'Now')
  await expect(heading(page, 'Priya Raman')).toBeFocused()
  await press(page, 'Later')
  await page.getByLabel('Or at').fill('2026-03-16T10:00')
  await press(page, 'Follow up')

  await expect(page).toHaveURL('/inbox')
  await expect(page.getByText('Priya Raman: follow-up set for Mar 16, 10:00 AM.')).toBeVisible()
  await page.getByRole('link', { name: 'Priya Raman' }).last().click()
  await expect(page).toHaveURL(await site.path('Priya'))
  await page.goBack()
  await expect(page).toHaveURL('/inbox')

  await open(page, `${await site.path('Priya')}?view=all`)
  await choose(page, 'Remove the follow-up')
  await expect(page.getByText('Priya Raman: follow-up removed.')).toBeVisible()
  await expect(heading(page, 'Priya Raman')).toBeVisible()
})

test('a request that opened by itself stays new until somebody has looked at it', async ({ page, site }) => {
  const mark = (name: string) => row(page, name).getByText('New', { exact: true })
  const pass = (shown: Locator) => passTimeUntil(page, shown, 20)
  const finish = async (next: string) => {
    await choose(page, 'Lost')
    await pass(page.locator('article[aria-busy=false]').filter({ has: heading(page, next) }))
  }
  await open(page, '/inbox')
  await row(page, 'Marcus Oyelaran').click()
  await expect(page.locator('article[aria-busy=false]')).toBeVisible()
  await page.clock.pauseAt(site.now().getTime() + 10_000)
  await finish('Dana Whitfield')
  await pass(page.getByText('marked as lost.'))
  await press(page, 'Undo')
  await pass(page.getByText('undone.'))
  await pass(row(page, 'Marcus Oyelaran'))
  await finish('Dana Whitfield')
  await page.clock.runFor(1_000)
  await expect(mark('Dana Whitfield')).toBeVisible()
  await page.clock.runFor(1_000)
  await pass(row(page, 'Dana Whitfield').filter({ hasNotText: 'New' }))

  await finish('Joanna Brandt-Featherstonehaugh')
  await finish('Priya Raman')
  await expect(mark('Priya Raman')).toBeVisible()
  const seen = page.waitForRequest('**/seen')
  await heading(page, 'Priya Raman').click()
  await seen
})

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

const results = (site: Site, ...names: string[]) =>
  Promise.all(names.map(async (name) => (await site.lead(name)).result))

test('several requests are changed and changed back with one press', async ({ page, site }) => {
  await open(page, '/inbox')
  for (const key of ['j', 'j', 'x', 'j', 'j', 'X']) await page.keyboard.press(key)
  await expect(selected(page)).toContainText('3 selected')
  await page.keyboard.press('k')
  await page.keyboard.press('x')
  await expect(selected(page)).toContainText('2 selected')
  await press(page, 'Later…')
  await page.getByRole('button', { name: /In a week/ }).click()

  const words = 'Marcus Oyelaran, Joanna Brandt-Featherstonehaugh: follow-up set for Mar 11, '
  await expect(page.getByText(words)).toBeVisible()
  await expect(selected(page)).toHaveCount(0)
  const opens = opening('2026-03-11')
  const days = () =>
    Promise.all(['Marcus', 'Dana', 'Joanna'].map(async (name) => (await site.lead(name)).follow_up_at))
  expect(await days()).toEqual([opens, null, opens])
  await press(page, 'Undo')
  await undone(page)
  expect(await days()).toEqual([null, null, null])

  await row(page, 'Joanna').hover()
  await page.getByLabel('Select Joanna').check()
  await row(page, 'Marcus Oyelaran').click({ modifiers: ['Shift'] })
  await expect(selected(page)).toContainText('3 selected')
  await row(page, 'Dana Whitfield').click()
  await expect(heading(page, 'Dana Whitfield')).toBeVisible()
  await expect(selected(page)).toContainText('3 selected')
  await press(page, 'Cancel')
  await expect(selected(page)).toHaveCount(0)
})

test.describe('on a phone', () => {
  test.use({ hasTouch: true, isMobile: true, viewport: { width: 390, height: 780 } })

  async function pressLong(page: Page, name: string) {
    const { x = 0, y = 0 } = (await row(page, name).boundingBox()) ?? {}
    const touch = await page.context().newCDPSession(page)
    const touchPoints = [{ x: x + 90, y: y + 30 }]
    await touch.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints })
    await expect(selected(page)).toContainText('1 selected')
    await touch.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })
  }

  test('one tap says that a call reached the person; only long presses select, and taps add', async ({
    page,
    site,
  }) => {
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

    await open(page, '/inbox')
    for (const end of ['pointercancel', 'pointerup']) {
      await row(page, 'Joanna').dispatchEvent('pointerdown', { pointerType: 'touch' })
      await row(page, 'Joanna').dispatchEvent(end)
      await page.clock.runFor(600)
      await expect(selected(page)).toHaveCount(0)
    }
    for (const [first, second] of [
      ['Luis', 'Joanna'],
      ['Marcus', 'Priya'],
    ] as const) {
      await pressLong(page, first)
      await row(page, second).tap()
      await expect(selected(page)).toContainText('2 selected')
      for (const button of await selected(page).getByRole('button').all()) await button.tap({ trial: true })
      await selected(page).getByRole('button', { name: 'Lost' }).tap()
      await expect(page.getByText('marked as lost.')).toContainText(first)
      await expect(page.locator('main').getByRole('link', { name: first })).toHaveCount(0)
      expect(await results(site, first, second)).toEqual(['lost', 'lost'])
    }
    await expect(page).toHaveURL('/inbox')

    await open(page, '/inbox?view=all')
    await pressLong(page, 'Joanna')
    await selected(page).getByRole('button', { name: 'Select all' }).tap()
    const all = await page.locator('[data-row]').count()
    await expect(selected(page)).toContainText(`${all} selected`)
    await expect(selected(page).getByRole('button', { name: 'Select all' })).toHaveCount(0)
  })

  test('after a voicemail, a note and when to try again are four presses', async ({ page, site }) => {
    await openLead(page, site, 'Marcus')
    await page.getByRole('link', { name: /^Call / }).tap()
    await page.getByLabel('Note').tap()
    await page.keyboard.type('Voicemail, he is back at 9.')
    await page.getByRole('button', { name: /^Tomorrow morning/ }).tap()
    await expect(page.getByText(/^Marcus Oyelaran: follow-up set for .* tomorrow\.$/)).toBeVisible()
    await expect(heading(page, 'Dana Whitfield')).toBeVisible()
    expect(await site.lead('Marcus')).toMatchObject({ state: 'open', follow_up_at: opening('2026-03-05') })

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

    await openLead(page, site, 'Marcus')
    await page.getByRole('link', { name: /^Call / }).tap()
    await page.getByRole('button', { name: 'Now', exact: true }).tap()
    await expect(page.getByText('Reached by phone.')).toBeVisible()
    expect(await site.lead('Marcus')).toMatchObject({ state: 'answered', follow_up_at: null })
  })
})

/** Writes again about the newest lead of a person. */
async function writeAgain(site: Site, name: string, text: string, id = 1) {
  const { email, reference } = await site.lead(name)
  const headers = { From: email, 'Message-ID': `<${id}.${name}@x.example>`, Subject: `Re: ${reference}` }
  await receive(site, headers, text)
}

test('a sheet that asks about a call says what the person has written meanwhile', async ({ page, site }) => {
  await openLead(page, site, 'Dana')
  await choose(page, 'I answered elsewhere…')
  const sheet = page.getByRole('dialog')
  await expect(sheet.getByRole('alert')).toBeEmpty()

  await writeAgain(site, 'Dana', 'Please call me at another number.')

  await expect(sheet.getByRole('alert')).toHaveText('Dana Whitfield wrote again.')
})

test('a key that is held, or pressed in the row of another request, ends no promise but the one that is open', async ({
  page,
  site,
}) => {
  const ended = async () => {
    const names = ['Dana', 'Joanna', 'Marcus']
    const leads = await Promise.all(names.map((name) => site.lead(name)))
    return names.filter((_name, index) => leads[index]?.state === 'answered')
  }
  await page.setViewportSize({ width: 1440, height: 900 })
  await openLead(page, site, 'Dana')
  await row(page, 'Joanna Brandt-Featherstonehaugh').focus()
  await page.keyboard.press('e')
  await page.clock.runFor(1_000)
  expect(await ended()).toEqual([])

  await row(page, 'Dana Whitfield').focus()
  await page.keyboard.down('e')
  await expect(heading(page, 'Joanna Brandt-Featherstonehaugh')).toBeVisible()
  await expect.poll(ended).toEqual(['Dana'])
  for (let repeats = 0; repeats < 10; repeats++) {
    await page.keyboard.down('e')
    await page.clock.runFor(100)
  }
  expect(await ended()).toEqual(['Dana'])
})

test('keys mark a lead as won, lost, or spam, postpone it, and note something', async ({ page, site }) => {
  const isNow = (name: string, ...expected: unknown[]) =>
    expect
      .poll(async () => {
        const { state, result, follow_up_at } = await site.lead(name)
        return [state, result, follow_up_at !== null]
      })
      .toEqual(expected)
  await openLead(page, site, 'Dana')
  await page.keyboard.press('n')
  await page.getByRole('textbox', { name: 'Note' }).pressSequentially('Prefers mornings. wl!fz')
  await page.keyboard.press('Control+Enter')
  await expect(page.getByText('note saved.')).toBeVisible()
  await page.keyboard.press('w')
  await isNow('Dana', 'answered', 'won', false)

  await openLead(page, site, 'Joanna')
  await page.keyboard.press('l')
  await isNow('Joanna', 'answered', 'lost', false)

  await openLead(page, site, 'Marcus')
  await page.keyboard.press('f')
  await page.getByRole('button', { name: /In a week/ }).click()
  await isNow('Marcus', 'open', null, true)

  await openLead(page, site, 'Priya')
  await page.keyboard.press('!')
  await isNow('Priya', 'spam', null, false)
  await expect(page.getByText('Priya Raman: marked as spam.')).toBeVisible()
  await page.keyboard.press('z')
  await isNow('Priya', 'open', null, false)
})

test('with keys, an owner goes from lead to lead beside the list, and changes several at once', async ({
  page,
  site,
}) => {
  await page.setViewportSize({ width: 1440, height: 900 })
  await open(page, '/inbox')
  for (const [key, name] of [
    ['j', 'Luis Aguilar'],
    ['j', 'Marcus Oyelaran'],
    ['j', 'Dana Whitfield'],
    ['k', 'Marcus Oyelaran'],
  ] as const) {
    await page.keyboard.press(key)
    await expect(heading(page, name)).toBeFocused()
  }
  for (const key of ['x', 'j', 'x']) await page.keyboard.press(key)
  await expect(selected(page)).toContainText('2 selected')
  await page.keyboard.press('!')
  await expect(selected(page)).toHaveCount(0)
  await expect.poll(async () => (await site.lead('Dana')).state).toBe('spam')
  expect((await site.lead('Marcus')).state).toBe('spam')

  // On a narrow screen, the lead covers the list, and what is selected there.
  await page.setViewportSize({ width: 800, height: 900 })
  await open(page, '/inbox')
  await page.keyboard.press('j')
  await page.keyboard.press('x')
  await row(page, 'Joanna').click()
  await expect(page.getByRole('button', { name: 'Later', exact: true })).toBeVisible()
  await page.keyboard.press('l')
  await expect.poll(async () => (await site.lead('Joanna')).result).toBe('lost')
  expect((await site.lead('Luis')).result).toBeNull()
})

test('what needs no answer goes back to where it was, with a key or for several', async ({ page, site }) => {
  const fields = async (name: string) => {
    const { state, result, replied_at } = await site.lead(name)
    return { state, result, isWaiting: replied_at !== null }
  }
  await writeAgain(site, 'Erin', 'Thanks, see you on Monday!')
  await writeAgain(site, 'Dana', 'My phone number is new.')
  await openLead(page, site, 'Erin')
  await page.keyboard.press('e')
  await expect(page.getByText('Erin Walsh: nothing to answer.')).toBeVisible()
  await expect.poll(() => fields('Erin')).toEqual({ state: 'answered', result: 'won', isWaiting: false })
  await press(page, 'Undo')
  await undone(page)
  expect(await fields('Erin')).toEqual({ state: 'open', result: 'won', isWaiting: true })

  await open(page, '/inbox')
  for (const name of ['Erin Walsh', 'Dana Whitfield']) {
    await row(page, name).focus()
    await page.keyboard.press('x')
  }
  await selected(page).getByRole('button', { name: 'Nothing to answer' }).click()
  const still = 'Dana Whitfield: nothing to answer. The request itself still waits.'
  await expect(page.getByText(still)).toContainText('Erin Walsh: nothing to answer.')
  expect(await fields('Erin')).toMatchObject({ state: 'answered', result: 'won' })
  expect(await fields('Dana')).toMatchObject({ state: 'open', isWaiting: false })
})
