import type { Page, Route } from '@playwright/test'
import { saveDraft } from '../../../server/leads/answers/drafts.ts'
import { hold } from '../test.ts'
import {
  anna,
  answerBox,
  choose,
  expect,
  heading,
  openLead,
  openReply,
  passTimeUntil,
  press,
  row,
  type Site,
  stayOnLead,
  test,
} from './test.ts'

const notes = (page: Page) => page.getByRole('textbox', { name: 'Note' })
const sending = (page: Page) => page.getByText('Sending your answer to Dana')

test('an answer can be undone from any page, and later is delivered', async ({ page, context, site }) => {
  await stayOnLead(context)
  await page.setViewportSize({ width: 390, height: 780 })
  // The phone's clock is ahead.
  await context.clock.setSystemTime(site.now().getTime() + 60_000)
  await openReply(page, site)
  await test.step('an iPhone’s keyboard covers no part of the sheet; zooming covers nothing', async () => {
    for (const { height, scale } of [
      { height: 480, scale: 1 },
      { height: 390, scale: 2 },
    ]) {
      await page.evaluate(
        (shown) => {
          for (const [name, value] of Object.entries(shown))
            Object.defineProperty(visualViewport, name, { value, configurable: true })
          visualViewport?.dispatchEvent(new Event('resize'))
        },
        { height, scale },
      )
      const box = await page.getByRole('dialog').boundingBox()
      expect(box).toMatchObject({ y: 0, height: height * scale })
    }
  })
  await answerBox(page).fill('First')
  await press(page, 'Send')
  await expect(sending(page)).toBeVisible()
  // Otherwise, the unit would be alone in the next line.
  expect(await sending(page).innerText()).toMatch(/ in \d+\u00a0s$/)
  await page.clock.runFor(1_000)
  await press(page, 'Reply')
  await answerBox(page).fill('Second')
  await press(page, 'Close')
  for (let times = 0; times < 4; times++) await page.getByText('Copy the request').dispatchEvent('click')
  await expect(page.getByRole('button', { name: 'Dismiss' })).toHaveCount(1)
  await page.getByRole('link', { name: 'All requests' }).click()
  await press(page, 'Undo')

  await expect(page).toHaveURL(await site.path('Dana'))
  await expect(answerBox(page)).toHaveValue('First\n\nSecond')
  await expect.poll(() => site.draft('Dana')).toBe('First\n\nSecond')
  expect(await site.answers('Dana')).toEqual([])

  const to = page.getByLabel('To', { exact: true })
  await to.fill('dana@gmial.com')
  await press(page, 'Use dana@gmail.com')
  await expect(heading(page, 'Answer Dana Whitfield')).toBeFocused()
  await expect(to).toHaveValue('dana@gmail.com')
  await expect(page.getByRole('button', { name: /^Use / })).toHaveCount(0)
  await to.fill('dana@work.example')
  await press(page, 'Send')
  const corrected = 'You corrected the address from dana@example.com to dana@work.example'
  await expect(page.getByText(corrected)).toBeVisible()
  await press(page, 'Details')
  await expect(page.getByRole('link', { name: 'dana@work.example' })).toBeVisible()
  await site.advance(16_000, context)
  await expect(sending(page)).toHaveCount(0)
  await site.sendEmails()
  const [answer] = await site.mail.to('dana@work.example')
  expect(answer?.text).toMatch(/^First\s+Second/)
})

test("an email's links only open a sheet, and a closed one stays closed", async ({ page, site }) => {
  const dana = await site.path('Dana')
  const expectClosed = async () => {
    await expect(heading(page, 'Dana Whitfield')).toBeVisible()
    await expect(page.getByRole('button', { name: 'Reply' })).toBeVisible()
    await expect(page.getByRole('dialog')).toHaveCount(0)
  }
  await page.goto(`${dana}?open=reply&view=all`)
  await expect(answerBox(page)).toBeVisible()
  // A reload would not open it again.
  await expect(page).toHaveURL(`${dana}?view=all`)
  await press(page, 'Close')
  await press(page, 'Reply')
  const sendButton = page.getByRole('button', { name: 'Send', exact: true })
  await expect(sendButton).toBeDisabled()
  await expect(page.getByText('Write your answer first.')).toBeVisible()
  await answerBox(page).press('Control+Enter')
  await press(page, 'No capacity')
  await press(page, 'Quote follows')
  await page.keyboard.type(' Until then!')
  await expect(answerBox(page)).toHaveValue(
    /^Hello Dana,\n\nThank you for your request\. .* Until then!\n\nAnna\nPlumbline$/s,
  )
  await sendButton.click()
  await press(page, 'Undo')
  await expect(answerBox(page)).toBeVisible()
  await press(page, 'Close')
  await page.reload()
  await expectClosed()
  await row(page, 'Marcus Oyelaran').click()
  await expect(heading(page, 'Marcus Oyelaran')).toBeVisible()
  await page.goBack()
  await expectClosed()

  await page.goto(`${dana}?open=done`)
  await expect(page.getByRole('heading', { name: 'When did you answer?' })).toBeVisible()
  expect((await site.lead('Dana')).state).toBe('open')
  await page.getByLabel('By phone').check()
  await page.getByRole('button', { name: /^An hour ago/ }).click()
  await expect.poll(async () => (await site.lead('Dana')).state).toBe('answered')
  const answeredAt = Date.parse(String((await site.lead('Dana')).answered_at))
  expect(Math.round((site.now().getTime() - answeredAt) / 60_000)).toBe(60)
  await openLead(page, site, 'Dana')
  await expect(page.getByText('By phone, ')).toBeVisible()

  // Dana has a draft, and Pat a follow-up.
  for (const answered of [dana, await site.path('Pat')]) {
    await page.goto(`${answered}?open=reply`)
    await expect(answerBox(page)).toBeVisible()
  }
  // An answer ends the follow-up of somebody who was answered before.
  await page.goto(`${await site.path('Pat')}?open=done`)
  await expect(page.getByRole('heading', { name: 'When did you answer?' })).toBeVisible()
  // Nothing is left to do for Erin. Somebody has typed the address.
  const erin = await site.path('Erin')
  for (const sheet of ['reply', 'done']) {
    await page.goto(`${erin.replace('Q', 'q')}?open=${sheet}`)
    await expect(page).toHaveURL(erin)
    await expect(page.getByRole('dialog')).toHaveCount(0)
  }
})

test('an answer whose response is lost is stored once, and can be undone', async ({ page, site }) => {
  const text = 'We can start on Monday.'
  await openReply(page, site)
  // On a busy machine, the draft would be saved before the answer is sent.
  await page.route('**/draft', (route) => route.abort())
  await answerBox(page).fill(text)
  let tries = 0
  await page.route('**/answers', async (route) => {
    tries++
    await route.fetch()
    await route.abort()
  })
  await press(page, 'Send')
  await expect(page.getByRole('button', { name: 'Sending…' })).toBeVisible()
  await expect(answerBox(page)).not.toBeEditable()
  await press(page, 'Quote follows')
  await expect(answerBox(page)).toHaveValue(text)
  const failed = page.getByText(/^Not sent:/)
  await passTimeUntil(page, failed)
  expect([tries, await site.answers('Dana')]).toEqual([4, [text]])
  await page.unroute('**/answers')
  await page.unroute('**/draft')
  await passTimeUntil(page, page.getByText('Draft saved'))
  await expect.poll(() => site.draft('Dana')).toBe(text)
  await press(page, 'Close')
  await press(page, 'Reply')
  await press(page, 'Close')
  await press(page, 'Undo')
  await expect(answerBox(page)).toHaveValue(text)

  // The server refuses the key of the undone answer. The next attempt has another one.
  await press(page, 'Send')
  await expect(failed).toHaveText(/^Not sent: This answer was undone, or did not arrive\./)
  await press(page, 'Send')

  await expect(sending(page)).toBeVisible()
  await expect(answerBox(page)).toHaveCount(0)
  expect(await site.answers('Dana')).toEqual([text])

  await page.route('**/undo', (route) => route.fulfill({ status: 409, json: { detail: 'It was sent.' } }))
  await page.route('**/undo', (route) => route.fulfill({ status: 503 }), { times: 4 })
  await press(page, 'Undo')
  await passTimeUntil(page, page.getByText("This couldn't be undone yet."))
  await press(page, 'Undo')
  await expect(page.getByText("your answer couldn't be undone. It was sent.")).toBeVisible()
})

test('an answer that was stored before the connection was lost says so once it is back', async ({
  page,
  context,
  site,
}) => {
  await openReply(page, site)
  await answerBox(page).fill('We can start on Monday.')
  await page.route('**/answers', async (route) => {
    // First: otherwise, the page could hear of the answer before.
    await context.setOffline(true)
    await route.fetch()
    await route.abort()
  })
  await press(page, 'Send')
  await passTimeUntil(page, page.getByText(/^Not sent:/))
  await page.unroute('**/answers')
  await context.setOffline(false)

  await passTimeUntil(page, sending(page))
  const open = async () => {
    await page.clock.runFor(500)
    return answerBox(page).count()
  }
  await expect.poll(open).toBe(0)
  expect(await site.answers('Dana')).toEqual(['We can start on Monday.'])
  expect(await site.draft('Dana')).toBeNull()
})

test('an answer that is refused after its sheet was closed says so, and stays', async ({ page, site }) => {
  await openReply(page, site)
  await answerBox(page).fill('We can start on Monday.')
  await page.route('**/answers', (route) => route.fulfill({ status: 400, json: { detail: 'No.' } }))
  const refused = page.getByText('your answer was not sent. No.')
  await press(page, 'Send')
  await expect(page.getByText('Not sent: No.')).toBeVisible()
  const release = await hold(page, '**/answers')
  await press(page, 'Send')
  await press(page, 'Close')
  await expect(refused).toHaveCount(0)
  release()
  await expect(refused).toBeVisible()

  await press(page, 'Reply')
  await expect(answerBox(page)).toHaveValue('We can start on Monday.')
})

test('what is typed while an answer is being sent stays as a draft', async ({ page, context, site }) => {
  await stayOnLead(context)
  await openReply(page, site)
  await answerBox(page).fill('We can start on Monday.')
  const release = await hold(page, '**/answers')
  await press(page, 'Send')
  await press(page, 'Close')
  await press(page, 'Reply')
  await answerBox(page).press('End')
  await answerBox(page).pressSequentially(' Bring the keys.')
  release()
  await expect(sending(page)).toBeVisible()

  const both = 'We can start on Monday. Bring the keys.'
  await expect(answerBox(page)).toHaveValue(both)
  await expect.poll(() => site.draft('Dana')).toBe(both)
  expect(await site.answers('Dana')).toEqual(['We can start on Monday.'])
})

test('a draft is saved if the page is hidden or closed, or once it is connected', async ({
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
  await answerBox(page).fill('Before the page was closed')
  await page.evaluate(() => window.dispatchEvent(new Event('pagehide')))
  await expect.poll(() => site.draft('Dana')).toBe('Before the page was closed')
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
    await expect(page.getByText('The draft is not saved yet')).toBeVisible()
  })
  await expect.poll(() => site.draft('Dana')).toBe('While the server restarts')
  await press(page, 'Send')
  await expect(sending(page)).toBeVisible()
})

/** Saves a draft on another device of Anna's, which has loaded the stored one. */
const typeElsewhere = async (site: Site, text: string) =>
  site.by(anna, 'Dana', saveDraft, { text, base: await site.draft('Dana') })

test('of drafts from two devices, the newest opens, and the owner chooses', async ({ page, site }) => {
  const changed = page.getByRole('alert').filter({ hasText: 'Changed on another device.' })
  await openLead(page, site, 'Dana')
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
  await expect(heading(page, 'Answer Dana Whitfield')).toBeFocused()
  await expect.poll(() => site.draft('Dana')).toBe('From my laptop!?')

  await typeElsewhere(site, 'From my watch')
  await answerBox(page).pressSequentially('!')
  await press(page, 'Use theirs')
  await expect(heading(page, 'Answer Dana Whitfield')).toBeFocused()
  await expect(answerBox(page)).toHaveValue('From my watch')
  await expect(changed).toHaveCount(0)
  await answerBox(page).pressSequentially('!')
  await expect.poll(() => site.draft('Dana')).toBe('From my watch!')
})

test('a note is kept until it is saved, is saved once, and can be undone', async ({ page, site }) => {
  const saved = page.locator('li').filter({ hasText: 'Wants a second page' })
  const openNote = () => choose(page, 'Add a note')
  await openLead(page, site, 'Dana')
  await openNote()
  await notes(page).fill('Wants a second page')
  await page.keyboard.press('Escape')
  await row(page, 'Priya Raman').click()
  await expect(heading(page, 'Priya Raman')).toBeVisible()
  await row(page, 'Dana Whitfield').click()
  await expect(heading(page, 'Dana Whitfield')).toBeVisible()
  await openNote()
  await expect(notes(page)).toHaveValue('Wants a second page')

  const typeMore = async (route: Route) => {
    await route.fetch()
    await notes(page).fill('And a third')
    await route.abort()
  }
  await page.route('**/notes', (route) => route.fulfill({ status: 400, json: { detail: 'No.' } }), {
    times: 1,
  })
  await press(page, 'Save the note')
  await expect(notes(page)).toHaveAccessibleDescription(/No\./)

  await page.route('**/notes', typeMore, { times: 1 })
  await notes(page).press('Control+Enter')
  await passTimeUntil(page, page.getByText('Note saved.'))
  await expect(page.getByRole('button', { name: 'Done', exact: true })).toBeFocused()
  await expect(saved).toHaveCount(1)

  await press(page, 'Undo')
  await expect(saved).toHaveCount(0)
  await openNote()
  await expect(notes(page)).toHaveValue('Wants a second page\n\nAnd a third')
})
