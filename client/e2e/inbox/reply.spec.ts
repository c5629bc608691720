import type { Page } from '@playwright/test'
import { saveDraft } from '../../../server/inbox/leads/answer-lead.ts'
import {
  anna,
  answerBox,
  choose,
  expect,
  heading,
  openReply,
  passTimeUntil,
  press,
  row,
  type Site,
  test,
} from './test.ts'

const notes = (page: Page) => page.getByRole('textbox', { name: 'Note' })
const sending = (page: Page) => page.getByText('Sending your answer to Dana')

test('after opening the link in an email on a phone, an owner can send an answer with two presses, and can undo it on any page', async ({
  page,
  site,
}) => {
  await page.setViewportSize({ width: 390, height: 780 })
  await openReply(page, site)
  await press(page, 'Send')
  await expect.poll(() => site.answers('Dana')).toHaveLength(1)
  await press(page, 'Undo')

  await answerBox(page).fill('We can start on Monday.')
  await press(page, 'Send')
  await page.getByRole('link', { name: 'All requests' }).click()
  await press(page, 'Undo')

  await expect(page).toHaveURL(await site.path('Dana'))
  await expect(answerBox(page)).toHaveValue('We can start on Monday.')
  expect(await site.answers('Dana')).toEqual([])
})

test('the notice that lets the owner undo an answer stays when others appear, and undoing keeps what was written since', async ({
  page,
  site,
}) => {
  await openReply(page, site)
  await answerBox(page).fill('First')
  await press(page, 'Send')
  await expect(sending(page)).toBeVisible()
  for (let times = 0; times < 4; times++) await page.getByText('Copy everything').dispatchEvent('click')
  await expect(page.getByRole('button', { name: 'Dismiss' })).toHaveCount(3)
  await press(page, 'Reply')
  await answerBox(page).fill('Second')
  await press(page, 'Close')

  await press(page, 'Undo')

  await expect(answerBox(page)).toHaveValue('First\n\nSecond')
  await expect.poll(() => site.draft('Dana')).toBe('First\n\nSecond')
})

test("a reminder's links open the reply or the menu, and change nothing by themselves", async ({
  page,
  site,
}) => {
  const dana = await site.path('Dana')
  const answered = page.getByRole('button', { name: 'I answered elsewhere' })

  await page.goto(`${dana}?open=reply`)
  await expect(answerBox(page)).toBeVisible()
  await expect(page).toHaveURL(dana)
  await press(page, 'Close')
  await page.reload()
  await expect(page.getByRole('button', { name: 'Reply' })).toBeVisible()
  await expect(answerBox(page)).toHaveCount(0)

  await page.goto(`${dana}?open=done`)
  await expect(answered).toBeVisible()
  expect(await site.lead('Dana')).toMatchObject({ state: 'open', version: 0 })
  await answered.click()
  await expect.poll(async () => (await site.lead('Dana')).state).toBe('answered')

  await page.goto(`${dana}?open=reply&view=all`)
  await expect(page).toHaveURL(`${dana}?view=all`)
  await expect(page.getByRole('button', { name: 'Reply' })).toBeVisible()
  await expect(answerBox(page)).toHaveCount(0)
})

test('an answer whose response is lost is sent once, and nothing can be typed meanwhile, because the sheet closes afterward', async ({
  page,
  site,
}) => {
  await openReply(page, site)
  await answerBox(page).fill('We can start on Monday.')
  const gate = Promise.withResolvers<void>()
  let tries = 0
  await page.route('**/answers', async (route) => {
    if (++tries === 3) return route.continue()
    if (tries === 2) await gate.promise
    await route.fetch()
    await route.abort()
  })

  await press(page, 'Send')
  await expect(page.getByRole('button', { name: 'Sending…' })).toBeVisible()
  await expect.poll(() => site.answers('Dana')).toHaveLength(1)
  await expect(answerBox(page)).not.toBeEditable()
  gate.resolve()
  await passTimeUntil(page, sending(page))

  await expect(answerBox(page)).toHaveCount(0)
  expect([tries, await site.answers('Dana')]).toEqual([3, ['We can start on Monday.']])
})

test('an answer that was stored without a response and then undone can be sent again', async ({
  page,
  site,
}) => {
  await openReply(page, site)
  await answerBox(page).fill('We can start on Monday.')
  await page.route('**/answers', (route) => route.fetch().then(() => route.abort()))
  await press(page, 'Send')
  const failed = page.getByText(/^Not sent:/)
  await passTimeUntil(page, failed)
  await expect(answerBox(page)).toHaveValue('We can start on Monday.')
  await page.unroute('**/answers')
  await press(page, 'Close')
  await press(page, 'Undo')
  await expect(answerBox(page)).toHaveValue('We can start on Monday.')

  // The server refuses the key of the undone answer. The next attempt has another one.
  await press(page, 'Send')
  await expect(failed).toHaveText(/^Not sent: This answer was undone, or did not arrive\./)
  await press(page, 'Send')

  await expect(sending(page)).toBeVisible()
  expect(await site.answers('Dana')).toEqual(['We can start on Monday.'])
})

test('an answer is delivered to the corrected address 15 seconds later, and is stuck as long as its mailbox is full', async ({
  page,
  site,
  context,
}) => {
  site.mail.refuse('dana@work.example', '452 4.2.2 mailbox over quota')
  await openReply(page, site)
  await expect(answerBox(page)).toBeFocused()
  await page.getByLabel('To', { exact: true }).fill('dana@work.example')
  await press(page, 'Send')
  const corrected = 'You corrected the address from dana@example.com to dana@work.example'
  await expect(page.getByText(corrected)).toBeVisible()
  await expect(page.getByRole('link', { name: 'dana@work.example' })).toBeVisible()

  // Each attempt is later than its delay.
  for (const seconds of [16, 80, 400, 1200]) {
    await site.advance(seconds * 1000, context)
    await site.sendEmails()
  }
  const words = /^The answer has been stuck since .* The mail server said: 452 4.2.2/
  await expect(page.getByText(words)).toBeVisible()
  await page.goto('/inbox?view=answered')
  await expect(row(page, 'Dana Whitfield')).toContainText('The answer has been stuck since')
  site.mail.accept('dana@work.example')
  await site.advance(2 * 3_600_000, context)
  await site.sendEmails()

  await expect(row(page, 'Dana Whitfield')).not.toContainText('stuck')
  const emails = await Promise.all(site.mail.emails.map((_, index) => site.mail.read(index)))
  expect(emails.filter(({ to }) => to?.[0]?.address === 'dana@work.example')).toHaveLength(1)
})

test('a draft is saved when the page is hidden or the sheet is closed, and later if the owner is offline or the server restarts', async ({
  page,
  site,
  context,
}) => {
  await openReply(page, site)
  // Half a second after the last key never comes.
  await page.clock.pauseAt(site.now().getTime() + 5_000)
  await answerBox(page).fill('Before the phone rang')
  await page.evaluate(() => {
    Object.defineProperty(document, 'visibilityState', { value: 'hidden', configurable: true })
    document.dispatchEvent(new Event('visibilitychange'))
    Object.defineProperty(document, 'visibilityState', { value: 'visible' })
    document.dispatchEvent(new Event('visibilitychange'))
  })
  await expect.poll(() => site.draft('Dana')).toBe('Before the phone rang')
  await page.clock.resume()

  await context.setOffline(true)
  await answerBox(page).fill('Without a connection')
  await page.keyboard.press('Escape')
  await row(page, 'Priya Raman').click()
  await expect(page.getByText('Offline: this page may be out of date')).toBeVisible()
  await context.setOffline(false)
  await expect.poll(() => site.draft('Dana')).toBe('Without a connection')

  await row(page, 'Dana Whitfield').click()
  await press(page, 'Reply')
  await site.restart({}, async () => {
    await answerBox(page).fill('While the server restarts')
    await expect(page.getByRole('dialog').getByText('Reconnecting')).toBeVisible()
  })
  await expect.poll(() => site.draft('Dana')).toBe('While the server restarts')
  await press(page, 'Send')
  await expect(sending(page)).toBeVisible()
})

/** Saves a draft on another device of Anna's, which has loaded the stored one. */
const typeElsewhere = async (site: Site, text: string) =>
  site.by(anna, 'Dana', saveDraft, { text, base: await site.draft('Dana') })

test('a reply starts with the newest draft, and if an owner types on two devices, the owner chooses which text to keep, and nothing is saved before', async ({
  page,
  site,
}) => {
  const changed = page.getByRole('alert').filter({ hasText: 'Changed on another device.' })
  await page.goto(await site.path('Dana'))
  await expect(page.getByRole('button', { name: 'Reply' })).toBeVisible()
  await typeElsewhere(site, 'From my phone')
  await press(page, 'Reply')
  await expect(answerBox(page)).toHaveValue('From my phone')
  await answerBox(page).fill('From my laptop')
  await expect.poll(() => site.draft('Dana')).toBe('From my laptop')

  await typeElsewhere(site, 'From my tablet')
  await answerBox(page).pressSequentially('!')
  await expect(changed).toContainText('From my tablet')
  await answerBox(page).pressSequentially('?')
  await page.keyboard.press('Escape')
  await press(page, 'Reply')
  await expect(changed).toBeVisible()
  await expect(answerBox(page)).toHaveValue('From my laptop!?')
  expect(await site.draft('Dana')).toBe('From my tablet')
  await press(page, 'Keep mine')
  await expect.poll(() => site.draft('Dana')).toBe('From my laptop!?')

  await typeElsewhere(site, 'From my watch')
  await answerBox(page).pressSequentially('!')
  await press(page, 'Use theirs')
  await expect(answerBox(page)).toHaveValue('From my watch')
  await expect(changed).toHaveCount(0)
  await answerBox(page).pressSequentially('!')
  await expect.poll(() => site.draft('Dana')).toBe('From my watch!')
})

test('a note is kept until it is saved, is saved once even if the response is lost, and can be undone', async ({
  page,
  site,
}) => {
  const saved = page.locator('li').filter({ hasText: 'Wants a second page' })
  const openNote = () => choose(page, 'Add a note')
  await page.goto(await site.path('Dana'))
  await openNote()
  await notes(page).fill('Wants a second page')
  await page.keyboard.press('Escape')
  await row(page, 'Priya Raman').click()
  await expect(heading(page, 'Priya Raman')).toBeVisible()
  await openNote()
  await expect(notes(page)).toHaveValue('')
  await press(page, 'Close')
  await row(page, 'Dana Whitfield').click()
  await expect(heading(page, 'Dana Whitfield')).toBeVisible()
  await openNote()
  await expect(notes(page)).toHaveValue('Wants a second page')

  await page.route('**/notes', (route) => route.fetch().then(() => route.abort()), { times: 1 })
  await press(page, 'Save the note')
  await passTimeUntil(page, page.getByText('Note saved.'))
  await expect(page.getByRole('button', { name: 'Done', exact: true })).toBeFocused()
  await expect(saved).toHaveCount(1)

  await press(page, 'Undo')
  await expect(saved).toHaveCount(0)
  await openNote()
  await expect(notes(page)).toHaveValue('Wants a second page')
})
