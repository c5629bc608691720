import type { Page } from '@playwright/test'
import { expect, forgetFailedRequests, pageTest as test } from '../test.ts'
import { fakeInbox, waitForApplication } from './fake-inbox.ts'
import { sampleNow } from './sample-time.ts'
import { answerIsStuck } from './states.ts'

const reference = 'Q-7K3M-9QXD'
const dana = `/inbox/${reference}`

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()
const answerBox = (page: Page) => page.getByLabel('Your answer')
const notes = (page: Page) => page.getByRole('textbox', { name: 'Note' })

async function openReply(page: Page, text?: string) {
  const inbox = await fakeInbox(page)
  await page.goto(dana)
  await press(page, 'Reply')
  if (text) await answerBox(page).fill(text)
  const lead = inbox.state.leads.find((one) => one.reference === reference)
  if (!lead) throw new Error('There is no such sample lead.')
  const sent = (what: string) =>
    inbox.state.calls.filter(({ call }) => call.endsWith(`/${what}`)).map(({ body }) => body)
  return { ...inbox, lead, sent }
}

async function openNote(page: Page) {
  await press(page, 'Done')
  await press(page, 'Add a note')
}

test('an owner can send an answer with two clicks, and can undo it on any page', async ({
  page,
  browserErrors,
}) => {
  await page.setViewportSize({ width: 390, height: 780 })
  const { state, lead, sent } = await openReply(page)

  await test.step('after opening the link in an email, an owner can send an answer with two clicks', async () => {
    await press(page, 'Send')
    await expect.poll(() => sent('answers')).toHaveLength(1)
    await press(page, 'Undo')
  })

  await test.step('after an answer is undone, its text is in the text box again', async () => {
    await answerBox(page).fill('We can start on Monday.')
    await press(page, 'Send')
    await page.getByRole('link', { name: 'All requests' }).click()
    await press(page, 'Undo')
    await expect(page).toHaveURL(dana)
    await expect(answerBox(page)).toHaveValue('We can start on Monday.')
    expect(sent('answers')).toHaveLength(2)
  })

  await test.step('if undoing an answer fails, the owner can try again', async () => {
    await answerBox(page).fill('We can start on Tuesday.')
    await press(page, 'Send')
    await expect(page.getByRole('button', { name: 'Undo', exact: true })).toBeVisible()
    state.refuse = { status: 503, body: {} }
    await press(page, 'Undo')
    await expect(page.getByText(/^This couldn't be undone yet\./)).toBeVisible()
    state.refuse = undefined
    await press(page, 'Undo')
    await expect(answerBox(page)).toHaveValue('We can start on Tuesday.')
  })

  await test.step('the notice that lets the owner undo an answer stays when other notices appear', async () => {
    await answerBox(page).fill('First')
    await press(page, 'Send')
    const answer = page.getByText('Sending your answer to Dana')
    await expect(answer).toBeVisible()
    for (let times = 0; times < 4; times++) await page.getByText('Copy everything').dispatchEvent('click')
    await expect(page.getByRole('button', { name: 'Dismiss' })).toHaveCount(3)
    await expect(answer).toBeVisible()
  })

  await test.step('undoing an answer while another one is being written keeps the text of both', async () => {
    await press(page, 'Reply')
    await answerBox(page).fill('Second')
    await press(page, 'Close')
    await press(page, 'Undo')
    await expect(answerBox(page)).toHaveValue('First\n\nSecond')
    await expect.poll(() => lead.draft).toBe('First\n\nSecond')
  })
  forgetFailedRequests(browserErrors)
})

test("a reminder's links open the reply or the menu, and change nothing by themselves", async ({ page }) => {
  const { state } = await fakeInbox(page)
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
  expect(state.calls.filter(({ call }) => /^(POST|PUT)/.test(call) && !call.endsWith('/seen'))).toEqual([])
  await answered.click()
  await expect.poll(() => state.calls.at(-1)?.call).toBe(`POST /leads/${reference}/state`)

  await page.goto(`${dana}?open=reply&view=all`)
  await expect(page).toHaveURL(`${dana}?view=all`)
  await expect(page.getByRole('button', { name: 'Reply' })).toBeVisible()
  await expect(answerBox(page)).toHaveCount(0)
})

test('if another owner changes a request during a reply, the sheet says so, and the owner can send the answer anyway', async ({
  page,
  browserErrors,
}) => {
  const { ben, lead, sent, state } = await openReply(page)
  const alert = page.getByRole('dialog').getByRole('alert')

  await test.step('an answer that the server rejects as out of date stays in the text box, and can be sent anyway', async () => {
    await ben(reference, { what: 'state', to: 'won' }, { isTold: false })
    await press(page, 'Send')
    await expect(alert).toHaveText('Ben marked it as won.')
    await expect(answerBox(page)).toHaveValue(/^Hello Dana/)
    await press(page, 'Send anyway')
    await expect.poll(() => sent('answers')).toMatchObject([{ version: 1 }, { version: 2 }])
  })

  state.calls.length = 0
  await test.step('a draft based on an old version of the request is saved, and the sheet says what has changed', async () => {
    await press(page, 'Reply')
    await ben(reference, { what: 'answer', to: 'answered' }, { isTold: false })
    await answerBox(page).fill('Half an answer')
    await expect(alert).toContainText('Ben answered this request')
    await expect.poll(() => lead.draft).toBe('Half an answer')
    await expect(page.getByRole('button', { name: 'Send anyway' })).toBeVisible()
    expect(sent('answers')).toEqual([])
  })

  await test.step('if another owner answers while the reply is open, the sheet says so, and sends the answer only after "Send anyway"', async () => {
    await page.keyboard.press('Escape')
    await press(page, 'Reply')
    await answerBox(page).fill('We can start on Monday.')
    await expect(alert).toHaveCount(0)
    await ben(reference, { what: 'answer', to: 'answered' })
    await expect(alert).toHaveText(/^Ben answered this request at \d+:\d\d(?: [AP]M)?\.$/)
    await expect(page.getByRole('button', { name: 'Send', exact: true })).toHaveCount(0)
    await page.keyboard.press('Control+Enter')
    await press(page, 'Send anyway')
    await expect.poll(() => sent('answers')).toMatchObject([{ text: 'We can start on Monday.', version: 5 }])
  })
  forgetFailedRequests(browserErrors)
})

test('a press on "Send" during or right after news about the request sends nothing', async ({
  page,
  browserErrors,
}) => {
  const { ben, lead } = await openReply(page, 'We can start on Monday.')
  const alert = page.getByRole('dialog').getByRole('alert')
  const button = page.getByRole('button', { name: /^Send/ })
  const { x = 0, y = 0 } = (await button.boundingBox()) ?? {}

  await test.step('if the label changes between mouse down and mouse up', async () => {
    await page.mouse.move(x + 9, y + 9)
    await page.mouse.down()
    await ben(reference, { what: 'state', to: 'won' })
    await expect(alert).toHaveText('Ben marked it as won.')
    // Long enough to read the news, but the press began before it.
    await page.waitForTimeout(700)
    await page.mouse.up()
    await expect(button).toBeEnabled()
    expect(lead.pendingAnswer).toBeNull()
  })

  await test.step('if the label has just changed, with the keyboard and the mouse', async () => {
    await button.focus()
    await ben(reference, { what: 'state', to: 'lost' })
    await expect(alert).toHaveText('Ben marked it as lost.')
    await page.keyboard.press('Enter')
    await page.mouse.click(x + 9, y + 9)
    expect(lead.pendingAnswer).toBeNull()
  })

  await press(page, 'Send anyway')
  await expect.poll(() => lead.pendingAnswer).not.toBeNull()
  forgetFailedRequests(browserErrors)
})

test('nothing can be typed while an answer is being sent, because the sheet closes afterward', async ({
  page,
}) => {
  const { sent } = await openReply(page, 'We can start on Monday.')
  const gate = Promise.withResolvers<void>()
  await page.route('**/answers', (route) => gate.promise.then(() => route.fallback()))
  await press(page, 'Send')
  await expect(page.getByRole('button', { name: 'Sending…' })).toBeVisible()

  await expect(answerBox(page)).not.toBeEditable()
  gate.resolve()
  await expect(answerBox(page)).toHaveCount(0)
  expect(sent('answers')).toMatchObject([{ text: 'We can start on Monday.' }])
})

test('an answer has the same key until the server has stored or refused it, so that it is sent only once', async ({
  page,
  browserErrors,
}) => {
  const { sent, state } = await openReply(page, 'We can start on Monday.')
  const keys = () => sent('answers').map(({ key }) => key)
  const failed = page.getByText(/^Not sent:/)

  state.refuse = { status: 503, body: {} }
  await press(page, 'Send')
  await expect(failed).toBeVisible()
  await expect(answerBox(page)).toHaveValue('We can start on Monday.')
  await press(page, 'Close')
  await press(page, 'Reply')
  state.refuse = { status: 409, body: { detail: 'This answer did not arrive.' } }
  await press(page, 'Send')
  await expect(failed).toHaveText('Not sent: This answer did not arrive.')
  state.refuse = undefined
  await press(page, 'Send')
  await expect(page.getByText('Sending your answer to Dana')).toBeVisible()

  expect(keys()).toHaveLength(6)
  expect(new Set(keys().slice(0, 5)).size).toBe(1)
  expect(keys()[5]).not.toBe(keys()[0])
  forgetFailedRequests(browserErrors)
})

test('a draft is saved when the page is hidden or the sheet is closed, and later if there is no connection', async ({
  page,
  browserErrors,
}) => {
  const { lead, state } = await openReply(page)
  // Half a second after the last key never comes.
  await page.clock.pauseAt(sampleNow() + 60_000)
  await answerBox(page).fill('Before the phone rang')
  await page.evaluate(() => {
    Object.defineProperty(document, 'visibilityState', { value: 'hidden', configurable: true })
    document.dispatchEvent(new Event('visibilitychange'))
    Object.defineProperty(document, 'visibilityState', { value: 'visible' })
    document.dispatchEvent(new Event('visibilitychange'))
  })
  await expect.poll(() => lead.draft).toBe('Before the phone rang')
  await page.clock.resume()

  state.refuse = { status: 503, body: {} }
  await answerBox(page).fill('Without a connection')
  await page.keyboard.press('Escape')
  await page.getByRole('link', { name: /Priya Raman/ }).click()
  await expect.poll(() => state.calls.filter(({ call }) => call.endsWith('/draft')).length).toBeGreaterThan(2)
  state.refuse = undefined
  await expect.poll(() => lead.draft).toBe('Without a connection')
  forgetFailedRequests(browserErrors)
})

test('an unfinished reply is kept, whether it was typed here or on another device', async ({
  page,
  browserErrors,
}) => {
  const { lead, state } = await openReply(page)

  await test.step('a reply starts with the draft that another device has saved since the page was loaded', async () => {
    await page.keyboard.press('Escape')
    lead.draft = 'From my phone'
    await press(page, 'Reply')
    await expect(answerBox(page)).toHaveValue('From my phone')
  })

  await test.step('if an owner types on two devices, the owner chooses which text to keep, and nothing is saved before', async () => {
    const changed = page.getByRole('alert').filter({ hasText: 'Changed on another device.' })
    await answerBox(page).fill('From my laptop')
    await expect.poll(() => lead.draft).toBe('From my laptop')
    lead.draft = 'From my tablet'
    await answerBox(page).pressSequentially('!')
    await expect(changed).toContainText('From my tablet')
    await answerBox(page).pressSequentially('?')
    await page.keyboard.press('Escape')
    await press(page, 'Reply')
    await expect(changed).toBeVisible()
    await expect(answerBox(page)).toHaveValue('From my laptop!?')
    expect(lead.draft).toBe('From my tablet')
    await press(page, 'Keep mine')
    await expect.poll(() => lead.draft).toBe('From my laptop!?')

    lead.draft = 'From my desk'
    await answerBox(page).pressSequentially('!')
    await expect(changed).toContainText('From my desk')
    await press(page, 'Keep mine')
    await expect.poll(() => lead.draft).toBe('From my laptop!?!')

    lead.draft = 'From my watch'
    await answerBox(page).pressSequentially('!')
    await press(page, 'Use theirs')
    await expect(answerBox(page)).toHaveValue('From my watch')
    await expect(changed).toHaveCount(0)
    await answerBox(page).pressSequentially('!')
    await expect.poll(() => lead.draft).toBe('From my watch!')
  })

  await test.step('a reply that could not be saved is still there when the sheet is reopened', async () => {
    state.refuse = { status: 503, body: {} }
    await answerBox(page).fill('Typed without a connection')
    await page.keyboard.press('Escape')
    await press(page, 'Reply')
    await expect(answerBox(page)).toHaveValue('Typed without a connection')
  })
  forgetFailedRequests(browserErrors)
})

test('a note is kept until it is saved, is saved once, and can be undone', async ({
  page,
  browserErrors,
}) => {
  const { state } = await fakeInbox(page)
  const done = page.getByRole('button', { name: 'Done', exact: true })
  const saved = page.locator('li').filter({ hasText: 'Wants a second page' })
  const calls = () => state.calls.filter(({ call }) => call.includes('/notes'))
  await page.goto(dana)

  await test.step('a note that was not saved is still there when its sheet is reopened', async () => {
    await openNote(page)
    await notes(page).fill('Wants a second page')
    await page.keyboard.press('Escape')
    await page.getByRole('link', { name: /Priya Raman/ }).click()
    await openNote(page)
    await expect(notes(page)).toHaveValue('')
    await press(page, 'Close')
    await page.getByRole('link', { name: /Dana Whitfield/ }).click()
    await openNote(page)
    await expect(notes(page)).toHaveValue('Wants a second page')
  })

  await test.step('after a note is saved, focus returns to the Done button', async () => {
    await press(page, 'Save the note')
    await expect(done).toBeFocused()
    await expect(saved).toBeVisible()
  })

  await test.step('after a note is undone, the note sheet shows its text again', async () => {
    await press(page, 'Undo')
    await expect(saved).toHaveCount(0)
    await openNote(page)
    await expect(notes(page)).toHaveValue('Wants a second page')
    const [posted, undone] = calls()
    expect(undone?.call).toBe(`POST /leads/${reference}/notes/${posted?.body.key}/undo`)
  })

  state.calls.length = 0
  await test.step('if saving a note fails, every retry sends the same key', async () => {
    await notes(page).fill('Call after lunch')
    state.refuse = { status: 503, body: {} }
    await press(page, 'Save the note')
    await expect.poll(() => calls().length).toBe(2)
    await expect(page.getByText('Note saved.')).toHaveCount(0)
    state.refuse = undefined
    await expect(page.getByText('Note saved.')).toBeVisible()
    expect(new Set(calls().map(({ body }) => body.key)).size).toBe(1)
  })

  await test.step('after a follow-up is saved, focus returns to the Done button', async () => {
    await press(page, 'Done')
    await press(page, 'Follow up on…')
    await page.getByRole('button', { name: /^Tomorrow/ }).click()
    await expect(done).toBeFocused()
  })
  forgetFailedRequests(browserErrors)
})

test('an owner can correct the address that an answer goes to', async ({ page }) => {
  await fakeInbox(page)
  await page.goto(dana)
  await press(page, 'Reply')
  const to = page.getByLabel('To', { exact: true })
  await expect(answerBox(page)).toBeFocused()

  await to.fill('dana@work.example')
  await press(page, 'Send')

  await expect(
    page.getByText('You corrected the address from dana@example.com to dana@work.example'),
  ).toBeVisible()
  await expect(page.getByRole('link', { name: 'dana@work.example' })).toBeVisible()
})

test('a stuck answer is said on its request and in the list', async ({ page }) => {
  const { state } = await fakeInbox(page)
  answerIsStuck(state)
  await page.goto(dana)
  await expect(
    page.getByText(/^The answer has been stuck since .* The mail server said: 452 4.2.2/),
  ).toBeVisible()

  await page.goto(`${dana}?open=reply`)
  await expect(answerBox(page)).toBeFocused()
  await page.goto('/inbox?view=answered')
  await expect(page.getByRole('link', { name: /The answer has been stuck since/ })).toBeVisible()
})

test('an owner can reply, send, undo, close and go back to the list with the keyboard without losing focus', async ({
  page,
}) => {
  await fakeInbox(page)
  await page.goto('/inbox')
  await waitForApplication(page)
  const row = page.getByRole('link', { name: /Dana Whitfield/ })
  const reply = page.getByRole('button', { name: 'Reply' })
  const heading = page.getByRole('heading', { name: 'Dana Whitfield' })

  await test.step('an owner can reply, send, undo and close with the keyboard', async () => {
    await row.click()
    await reply.focus()
    await page.keyboard.press('Enter')
    await expect(answerBox(page)).toBeFocused()
    await page.keyboard.type('Monday?')

    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await expect(reply).toBeFocused()
    const undo = page.getByRole('button', { name: 'Undo' })
    for (let tabs = 0; tabs < 6 && !(await undo.evaluate((it) => it === document.activeElement)); tabs++)
      await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await expect(answerBox(page)).toBeFocused()
    await expect(answerBox(page)).toHaveValue(/Monday\?/)
    await page.keyboard.press('Escape')

    await expect(heading).toBeFocused()
  })

  for (const width of [390, 1440])
    await test.step(`pressing u returns to the row of the request in the list, at ${width} px`, async () => {
      await page.setViewportSize({ width, height: 780 })
      if (width === 1440) await row.click()
      await expect(heading).toBeFocused()
      await page.keyboard.press('u')
      await expect(row).toBeFocused()
    })
})
