import type { Page } from '@playwright/test'
import { contactPath } from '#shared/contact-request.ts'
import {
  answerBox,
  test as inboxTest,
  openReply,
  passTimeUntil,
  press,
  waitForApplication,
} from './inbox/test.ts'
import {
  expect,
  fieldOf,
  fillIn,
  forgetFailedRequests,
  query,
  sample,
  sendButton,
  siteTest as test,
  waitForHydration,
} from './test.ts'

/** What other programs do to the page. */
const changes = {
  'a password manager adds an element beside each field': () => {
    for (const field of document.querySelectorAll('input, textarea, select'))
      field.after(document.createElement('password-manager-button'))
  },
  'a password manager wraps fields': () => {
    for (const field of document.querySelectorAll('input, textarea, select')) {
      // A field that is moved loses the focus.
      if (field === document.activeElement) continue
      const wrapper = document.createElement('span')
      field.replaceWith(wrapper)
      wrapper.append(field)
    }
  },
  'a translator replaces each text by a <font>': () => {
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    const found: Text[] = []
    while (texts.nextNode()) found.push(texts.currentNode as Text)
    for (const text of found) {
      if (!text.data.trim() || text.parentElement?.closest('script, style, textarea, option')) continue
      const [outer, inner] = [document.createElement('font'), document.createElement('font')]
      inner.append(text.data)
      outer.append(inner)
      text.replaceWith(outer)
    }
  },
  'a grammar checker adds elements to the body and to the root element': () => {
    document.body.prepend(document.createElement('grammar-checker'))
    document.getElementById('root')?.prepend(document.createElement('grammar-checker'))
  },
}

/** Holds back the application until the result is called. */
async function holdApplication(page: Page) {
  const requested = Promise.withResolvers<void>()
  const released = Promise.withResolvers<void>()
  await page.route('**/assets/main-*.js', async (route) => {
    requested.resolve()
    await released.promise
    await route.continue()
  })
  return { requested: requested.promise, release: released.resolve }
}

/** The page is readable, the form is sent with the text, and at most one error is in the console. */
async function expectWorkingPage(page: Page, dataDir: string, browserErrors: string[]) {
  await expect(page.locator('h1')).toBeVisible()
  await expect(page.getByText('Unexpected Application Error!')).toHaveCount(0)
  await expect(page.locator('section')).not.toHaveCount(0)
  for (const [label, value] of Object.entries(sample))
    if (label !== 'Website') await expect(fieldOf(page, label)).toHaveValue(value)
  await sendButton(page).click()
  await expect(page.locator('form #sent')).toBeVisible()
  expect(query(dataDir, 'select first_name, message, budget from leads')).toHaveLength(1)
  expect(browserErrors.length).toBeLessThanOrEqual(1)
  browserErrors.length = 0
}

for (const [name, change] of Object.entries(changes)) {
  test(`page, typed text and form stay if ${name}, before the first script`, async ({
    page,
    dataDir,
    browserErrors,
  }) => {
    const application = await holdApplication(page)
    await page.addInitScript(`document.addEventListener('readystatechange', ${change}, { once: true })`)
    await page.goto('/')
    await application.requested
    await fillIn(page)
    application.release()
    await waitForHydration(page)
    await expectWorkingPage(page, dataDir, browserErrors)
  })

  test(`page, typed text, focus and form stay if ${name}, before the application`, async ({
    page,
    dataDir,
    browserErrors,
  }) => {
    const application = await holdApplication(page)
    await page.goto('/')
    await application.requested
    await fillIn(page)
    await fieldOf(page, 'Message').press('Home')
    await page.evaluate(change)
    application.release()
    await waitForHydration(page)
    await expect(fieldOf(page, 'Message')).toBeFocused()
    expect(await fieldOf(page, 'Message').evaluate((text: HTMLTextAreaElement) => text.selectionStart)).toBe(
      sample.Message.indexOf('\n') + 1,
    )
    await expectWorkingPage(page, dataDir, browserErrors)
  })

  test(`page, typed text and form stay if ${name}, whenever the application shows something new`, async ({
    page,
    dataDir,
    browserErrors,
  }) => {
    await page.goto('/')
    await waitForHydration(page)
    await page.evaluate(change)
    await sendButton(page).click()
    await expect(page.locator('[aria-invalid=true]')).toHaveCount(4)
    await page.evaluate(change)
    await fillIn(page, { Email: 'ada@gmial.com' })
    await fieldOf(page, 'Message').focus()
    await expect(page.getByText('Did you mean')).toBeVisible()
    await page.evaluate(change)
    await fieldOf(page, 'Email').fill(sample.Email)
    await page.route(`**${contactPath}`, (route) => route.fulfill({ status: 500, body: '' }))
    await sendButton(page).click()
    await expect(page.getByRole('alert')).toBeVisible()
    await page.evaluate(change)
    await page.unroute(`**${contactPath}`)
    forgetFailedRequests(browserErrors)
    await expectWorkingPage(page, dataDir, browserErrors)
  })
}

inboxTest(
  'messages that appear in an inbox later can be translated, too, and an undo that failed can be repeated',
  async ({ page, context, site }) => {
    const translate = () => page.evaluate(changes['a translator replaces each text by a <font>'])
    const notNow = { status: 503, json: { detail: 'Please try later.' } }
    const refused = page.getByText('Please try later.')
    site.mail.refuse('ben@agency.example', '550 5.1.1 No such user here.')
    site.mail.refuse('dana@example.com', '452 4.2.2 mailbox over quota')
    await openReply(page, site)
    await press(page, 'Send')
    await expect(page.getByText(/^Sending your answer/)).toBeVisible()
    await translate()
    await page.route('**/undo', (route) => route.fulfill({ status: 503 }), { times: 4 })
    await press(page, 'Undo')
    await passTimeUntil(page, page.getByText(/couldn't be undone yet/))

    await translate()
    await site.arrive('Nora', 'New')
    const sendAgain = page.getByRole('button', { name: 'Send again' })
    await expect(sendAgain).toBeVisible()
    await translate()
    await page.route('**/mail/resend', (route) => route.fulfill(notNow), { times: 1 })
    await sendAgain.click()
    await expect(refused).toBeVisible()
    await translate()
    const gate = Promise.withResolvers<void>()
    await page.route('**/mail/resend', (route) => gate.promise.then(() => route.fulfill(notNow)), {
      times: 1,
    })
    await sendAgain.click()
    await expect(sendAgain).toBeDisabled()
    await expect(refused).toHaveCount(0)
    gate.resolve()
    await expect(refused).toBeVisible()

    await translate()
    for (const seconds of [16, 80, 400, 1200]) {
      await site.advance(seconds * 1000, context)
      await site.sendEmails()
    }
    await expect(page.getByRole('article').getByText('The mail server said')).toBeVisible()
    await expect(page.getByText('This page could not be shown')).toHaveCount(0)
  },
)

inboxTest('the inbox works while a translator replaces its texts', async ({ page, site }) => {
  const translate = changes['a translator replaces each text by a <font>']
  const steps = [
    () => press(page, 'Reply'),
    () => answerBox(page).fill('Yes.'),
    () => answerBox(page).press('Control+Enter'),
    () => press(page, 'Undo'),
    () => expect(answerBox(page)).toBeVisible(),
    () => page.keyboard.press('Escape'),
    () => expect(answerBox(page)).toBeHidden(),
    () => page.getByLabel('Search all requests').fill('whitfield'),
    () => page.getByRole('link', { name: 'Figures' }).click(),
  ]
  await page.goto(await site.path('Dana'))
  await waitForApplication(page)
  for (const step of steps) {
    await page.evaluate(translate)
    await step()
  }

  await expect(page.getByRole('heading', { name: 'Figures' })).toBeVisible()
})
