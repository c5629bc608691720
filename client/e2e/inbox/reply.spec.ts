import type { Page } from '@playwright/test'
import { expect, pageTest as test } from '../test.ts'
import { fakeInbox, waitForApplication } from './fake-inbox.ts'
import { sampleNow } from './sample-time.ts'

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

test('after an answer is undone, its text is in the text box again', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 780 })
  const { state } = await fakeInbox(page)
  await page.goto(dana)
  await page.getByRole('button', { name: 'Reply' }).click()
  await page.getByLabel('Your answer').fill('We can start on Monday.')
  await page.getByRole('button', { name: 'Send' }).click()
  await page.getByRole('link', { name: 'All requests' }).click()

  await page.getByRole('button', { name: 'Undo' }).click()

  await expect(page).toHaveURL(dana)
  await expect(page.getByLabel('Your answer')).toHaveValue('We can start on Monday.')
  expect(state.calls.filter(({ call }) => call.endsWith('/answers'))).toHaveLength(1)
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

test('after opening the link in an email, an owner can send an answer with two clicks', async ({ page }) => {
  const { state } = await fakeInbox(page)
  await page.goto(dana)

  await page.getByRole('button', { name: 'Reply' }).click()
  await page.getByRole('button', { name: 'Send' }).click()

  await expect.poll(() => state.calls.map(({ call }) => call)).toContain('POST /leads/Q-7K3M-9QXD/answers')
})

test('if another owner answers while the reply is open, the sheet says so, and sends the answer only after "Send anyway"', async ({
  page,
}) => {
  const { ben, sent } = await openReply(page, 'We can start on Monday.')

  await ben(reference, { what: 'answer', to: 'answered' })

  const sheet = page.getByRole('dialog')
  await expect(sheet.getByRole('alert')).toHaveText(/^Ben answered this request at \d+:\d\d(?: [AP]M)?\.$/)
  await expect(sheet.getByRole('button', { name: 'Send', exact: true })).toHaveCount(0)
  await page.keyboard.press('Control+Enter')
  await press(page, 'Send anyway')
  await expect.poll(() => sent('answers')).toMatchObject([{ text: 'We can start on Monday.', version: 2 }])
})

test('an answer that the server rejects as out of date stays in the text box, and can be sent anyway', async ({
  page,
  browserErrors,
}) => {
  const { ben, sent } = await openReply(page)
  await ben(reference, { what: 'state', to: 'won' }, { isTold: false })

  await press(page, 'Send')

  await expect(page.getByRole('dialog').getByRole('alert')).toHaveText('Ben marked it as won.')
  await expect(answerBox(page)).toHaveValue(/^Hello Dana/)
  await press(page, 'Send anyway')
  await expect.poll(() => sent('answers')).toMatchObject([{ version: 1 }, { version: 2 }])
  browserErrors.length = 0
})

test('a draft based on an old version of the request is saved, and the sheet says what has changed', async ({
  page,
  browserErrors,
}) => {
  const { ben, lead, sent } = await openReply(page)
  await ben(reference, { what: 'answer', to: 'answered' }, { isTold: false })

  await answerBox(page).fill('Half an answer')

  await expect(page.getByRole('dialog').getByRole('alert')).toContainText('Ben answered this request')
  await expect.poll(() => lead.draft).toBe('Half an answer')
  await expect(page.getByRole('button', { name: 'Send anyway' })).toBeVisible()
  expect(sent('answers')).toEqual([])
  browserErrors.length = 0
})

test('if an owner types on two devices, the text from both is kept, one below the other', async ({
  page,
  browserErrors,
}) => {
  const { lead } = await openReply(page, 'From my laptop')
  await expect.poll(() => lead.draft).toBe('From my laptop')
  lead.draft = 'From my phone'

  await answerBox(page).pressSequentially('!')

  await expect(answerBox(page)).toHaveValue('From my laptop!\n\nFrom my phone')
  await expect(page.getByText('Text you wrote on another device was added below.')).toBeVisible()
  await expect.poll(() => lead.draft).toBe('From my laptop!\n\nFrom my phone')
  browserErrors.length = 0
})

test('a reply starts with the draft that another device has saved since the page was loaded', async ({
  page,
}) => {
  const { lead } = await openReply(page)
  await page.keyboard.press('Escape')
  lead.draft = 'From my phone'

  await press(page, 'Reply')

  await expect(answerBox(page)).toHaveValue('From my phone')
})

test('a reply that could not be saved is still there when the sheet is reopened', async ({
  page,
  browserErrors,
}) => {
  const { state } = await openReply(page)
  state.refuse = { status: 503, body: {} }
  await answerBox(page).fill('Typed without a connection')
  await page.keyboard.press('Escape')

  await press(page, 'Reply')

  await expect(answerBox(page)).toHaveValue('Typed without a connection')
  browserErrors.length = 0
})

test('a note that was not saved is still there when its sheet is reopened', async ({ page }) => {
  await fakeInbox(page)
  await page.goto(dana)
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

test('after a note is undone, the note sheet shows its text again', async ({ page }) => {
  const { state } = await fakeInbox(page)
  await page.goto(dana)
  await openNote(page)
  await notes(page).fill('For the wrong person')
  await press(page, 'Save the note')
  const note = page.locator('li').filter({ hasText: 'For the wrong person' })
  await expect(note).toBeVisible()

  await press(page, 'Undo')

  await expect(note).toHaveCount(0)
  await openNote(page)
  await expect(notes(page)).toHaveValue('For the wrong person')
  const [saved, undone] = state.calls.filter(({ call }) => call.includes('/notes'))
  expect(undone?.call).toBe(`POST /leads/${reference}/notes/${saved?.body.key}/undo`)
})

test('if saving a note fails, every retry sends the same key', async ({ page, browserErrors }) => {
  const { state } = await fakeInbox(page)
  await page.goto(dana)
  await openNote(page)
  await notes(page).fill('Call after lunch')
  state.refuse = { status: 503, body: {} }
  await press(page, 'Save the note')
  await expect.poll(() => state.calls.filter(({ call }) => call.endsWith('/notes')).length).toBe(2)
  state.refuse = undefined

  await expect(page.getByText('Note saved.')).toBeVisible()

  const keys = state.calls.filter(({ call }) => call.endsWith('/notes')).map(({ body }) => body.key)
  expect(new Set(keys).size).toBe(1)
  browserErrors.length = 0
})

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 780 } })

  test('from an open sheet, an owner can extend the session', async ({ page, browserErrors }) => {
    const { state } = await fakeInbox(page)
    if (state.session) state.session.endsAt = new Date(sampleNow() + 60_000).toISOString()
    await page.goto(dana)
    await press(page, 'Reply')
    await answerBox(page).fill('Half an answer')

    await page.getByRole('dialog').getByRole('button', { name: 'Stay signed in' }).click()
    await press(page, 'Email me a code')
    await page.getByLabel('Code').fill('K7MF29QX')

    await expect(page.getByText("You'll be signed out in about a minute.")).toHaveCount(0)
    await expect(answerBox(page)).toHaveValue('Half an answer')
    browserErrors.length = 0
  })

  test('an open sheet says that the page may be out of date', async ({ page, context, browserErrors }) => {
    await openReply(page)
    const sheet = page.getByRole('dialog')
    await expect(sheet.getByText(/out of date/)).toHaveCount(0)

    await context.setOffline(true)

    await expect(sheet.getByText('Offline: this page may be out of date')).toBeVisible()
    browserErrors.length = 0
  })

  test('an answer can still be undone while another sheet is open', async ({ page }) => {
    await openReply(page, 'We can start on Monday.')
    await press(page, 'Send')
    await openNote(page)

    await page.getByRole('dialog').getByRole('button', { name: 'Undo' }).click()

    await expect(answerBox(page)).toHaveValue('We can start on Monday.')
  })

  test('undoing an answer while another one is being written keeps the text of both', async ({ page }) => {
    const { lead } = await openReply(page, 'First')
    await press(page, 'Send')
    await press(page, 'Reply')
    await answerBox(page).fill('Second')

    await page.getByRole('dialog').getByRole('button', { name: 'Undo' }).click()

    await expect(answerBox(page)).toHaveValue('First\n\nSecond')
    await expect.poll(() => lead.draft).toBe('First\n\nSecond')
  })
})

test('an owner can reply, send, undo and close with the keyboard without losing focus', async ({ page }) => {
  await fakeInbox(page)
  await page.goto(dana)
  const reply = page.getByRole('button', { name: 'Reply' })
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

  await expect(page.getByRole('heading', { name: 'Dana Whitfield' })).toBeFocused()
})

test('after a note or a follow-up is saved, focus returns to the Done button', async ({ page }) => {
  await fakeInbox(page)
  await page.goto(dana)
  await openNote(page)
  await notes(page).fill('Called')
  await press(page, 'Save the note')
  await expect(page.getByRole('button', { name: 'Done', exact: true })).toBeFocused()

  await press(page, 'Done')
  await press(page, 'Follow up on…')
  await page.getByRole('button', { name: /^Tomorrow/ }).click()

  await expect(page.getByRole('button', { name: 'Done', exact: true })).toBeFocused()
})

for (const width of [390, 1440])
  test(`pressing u returns to the row of the request in the list, at ${width} px`, async ({ page }) => {
    await page.setViewportSize({ width, height: 780 })
    await fakeInbox(page)
    await page.goto('/inbox')
    await waitForApplication(page)
    await page.getByRole('link', { name: /Dana Whitfield/ }).click()
    await expect(page.getByRole('button', { name: 'Reply' })).toBeVisible()

    await page.keyboard.press('u')

    await expect(page.getByRole('link', { name: /Dana Whitfield/ })).toBeFocused()
  })

test('if a signed-in owner opens a sign-in link, a notice confirms who is signed in', async ({ page }) => {
  await fakeInbox(page)

  await page.goto('/inbox/sign-in#code=K7MF29QX')

  await expect(page.getByText('You are now signed in as anna@agency.example.')).toBeVisible()
  expect(page.url()).not.toContain('K7MF')
})

test("if a signed-in owner opens another owner's sign-in link, a notice says who is signed in now", async ({
  page,
}) => {
  const { state } = await fakeInbox(page)
  state.linkOwner = 'ben@agency.example'

  await page.goto('/inbox/sign-in#link=secret')

  await expect(page.getByText('You are now signed in as ben@agency.example.')).toBeVisible()
})

test('if a signed-in owner opens a sign-in link that was requested in another browser, a sheet shows the code', async ({
  page,
  browserErrors,
}) => {
  await fakeInbox(page)

  await page.goto('/inbox/sign-in#code=ACDE2345')

  const sheet = page.getByRole('dialog', { name: 'Your code' })
  await expect(sheet.getByText('ACDE-2345')).toBeVisible()
  await expect(sheet.getByText('Enter this code in the browser where you requested it.')).toBeVisible()
  await press(page, 'Close')
  await expect(page.getByRole('link', { name: /Dana Whitfield/ })).toBeVisible()
  browserErrors.length = 0
})

test('"Confirm it\'s you" closes when the emailed link is opened in another tab', async ({
  page,
  browserErrors,
}) => {
  const { state } = await fakeInbox(page)
  if (state.session) state.session.endsAt = new Date(sampleNow() + 60_000).toISOString()
  await page.goto('/inbox')
  await press(page, 'Stay signed in')
  await expect(page.getByRole('dialog', { name: "Confirm it's you" })).toBeVisible()
  if (state.session)
    Object.assign(state.session, {
      signedInAt: new Date(sampleNow()).toISOString(),
      endsAt: new Date(sampleNow() + 86_400_000).toISOString(),
    })

  await page.clock.runFor(31_000)

  await expect(page.getByRole('dialog')).toHaveCount(0)
  browserErrors.length = 0
})

test('the notice that lets the owner undo an answer stays when other notices appear', async ({ page }) => {
  await openReply(page)
  await press(page, 'Send')
  const answer = page.getByText('Sending your answer to Dana')
  await expect(answer).toBeVisible()

  for (let times = 0; times < 4; times++) await page.getByText('Copy everything').dispatchEvent('click')

  await expect(page.getByRole('button', { name: 'Dismiss' })).toHaveCount(3)
  await expect(answer).toBeVisible()
})

test('if undoing an answer fails, the owner can try again', async ({ page, browserErrors }) => {
  const { state } = await openReply(page, 'We can start on Monday.')
  await press(page, 'Send')
  await expect(page.getByRole('button', { name: 'Undo', exact: true })).toBeVisible()
  state.refuse = { status: 503, body: {} }
  await press(page, 'Undo')
  await expect(page.getByText(/^This couldn't be undone yet\./)).toBeVisible()
  state.refuse = undefined

  await press(page, 'Undo')

  await expect(answerBox(page)).toHaveValue('We can start on Monday.')
  browserErrors.length = 0
})
