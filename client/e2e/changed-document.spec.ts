import { quoteBy } from '#brand/words/outcome.ts'
import { contactPath } from '#shared/contact-request.ts'
import { answerBox, expect, test as inboxTest, passTimeUntil, press, waitForInbox } from './inbox/test.ts'
import {
  confirmation,
  fieldOf,
  fillIn,
  hold,
  invalidFields,
  sample,
  sendButton,
  test,
  waitForHydration,
} from './test.ts'

/** What other programs do to the page. */
const changes = {
  'other programs add elements and wrap fields': () => {
    document.body.prepend(document.createElement('grammar-checker'))
    document.getElementById('root')?.prepend(document.createElement('grammar-checker'))
    for (const field of document.querySelectorAll('input, textarea, select')) {
      field.after(document.createElement('password-manager-button'))
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
}

for (const [name, change] of Object.entries(changes))
  test(`page, text, focus and form stay if ${name}`, async ({ page, site, browserErrors }) => {
    const release = await hold(page, '**/assets/main-*.js')
    await page.addInitScript(`document.addEventListener('readystatechange', ${change}, { once: true })`)
    await Promise.all([page.waitForRequest('**/assets/main-*.js'), page.goto('/')])
    await fillIn(page, { 'Last name': '' })
    await fieldOf(page, 'Message').press('Home')
    await page.evaluate(change)
    release()
    await waitForHydration(page)
    await expect(fieldOf(page, 'Message')).toBeFocused()
    const cursor = () =>
      fieldOf(page, 'Message').evaluate((text) => (text as HTMLTextAreaElement).selectionStart)
    expect(await cursor()).toBe(sample.Message.indexOf('\n') + 1)
    for (const [label, text] of Object.entries({ ...sample, 'Last name': '' }))
      await expect(fieldOf(page, label)).toHaveValue(text)

    // Whenever the application shows something new, it changes what the other program has changed.
    await page.evaluate(change)
    await sendButton(page).click()
    await expect(invalidFields(page)).toHaveCount(1)
    await page.evaluate(change)
    await fieldOf(page, 'Email').fill('ada@gmial.com')
    await fieldOf(page, 'Last name').fill(sample['Last name'])
    await expect(page.getByText('Did you mean')).toBeVisible()
    await page.evaluate(change)
    await fieldOf(page, 'Email').fill(sample.Email)
    await page.route(`**${contactPath}`, (route) => route.fulfill({ status: 500, body: '' }), { times: 1 })
    await sendButton(page).click()
    await expect(page.getByRole('alert')).toBeVisible()
    await page.evaluate(change)
    await sendButton(page).click()
    await expect(page.locator('form #sent')).toBeVisible()
    await expect(page.locator('h1')).toBeVisible()
    expect(await site.leads('Ada')).toHaveLength(1)

    // The confirmation names when the quote comes, and the next one is another.
    await expect(page.locator('#sent-steps strong').filter({ hasText: quoteBy.trim() })).toBeVisible()
    await page.evaluate(change)
    await page.locator('form #sent ~ a').click()
    await fillIn(page, { 'First name': 'Grace' })
    await page.evaluate(change)
    await sendButton(page).click()
    await expect(confirmation(page, (await site.lead('Ada')).reference)).toHaveCount(0)
    await expect(confirmation(page)).toBeVisible()
    expect(await site.leads('Grace')).toHaveLength(1)
    // One line says that the page was rendered again.
    expect(browserErrors.splice(0).length).toBeLessThanOrEqual(1)
  })

inboxTest('the inbox works while a translator replaces its texts', async ({ page, site }) => {
  const busy = { status: 503, json: { detail: 'Please try later.' } }
  const refused = page.getByText(busy.json.detail)
  const sendAgain = page.getByRole('button', { name: 'Send again' })
  const steps = [
    () => press(page, 'Reply'),
    () => answerBox(page).fill('Yes.'),
    () => answerBox(page).press('Control+Enter'),
    () => expect(page.getByText(/^Sending your answer/)).toBeVisible(),
    () => page.route('**/undo', (route) => route.fulfill({ status: 503 }), { times: 4 }),
    () => press(page, 'Undo'),
    () => passTimeUntil(page, page.getByText(/couldn't be undone yet/)),
    () => press(page, 'Undo'),
    () => expect(answerBox(page)).toBeVisible(),
    () => page.keyboard.press('Escape'),
    () => expect(answerBox(page)).toBeHidden(),
    () => site.mail.refuse('ben@agency.example', '550 5.1.1 No such user here.'),
    () => site.arrive('Nora', 'New'),
    () => site.giveUpRefused(),
    () => expect(sendAgain).toBeVisible(),
    () => page.route('**/mail/resend', (route) => route.fulfill(busy), { times: 1 }),
    () => sendAgain.click(),
    () => expect(refused).toBeVisible(),
    () => page.getByLabel('Search all requests').fill('whitfield'),
    () => page.getByRole('link', { name: 'Figures' }).click(),
  ]
  await page.goto(await site.path('Dana'))
  await waitForInbox(page)
  for (const step of steps) {
    await page.evaluate(changes['a translator replaces each text by a <font>'])
    await step()
  }

  await expect(page.getByRole('heading', { name: 'Figures' })).toBeVisible()
})
