import type { Page, Request } from '@playwright/test'
import * as form from '#brand/words/form.ts'
import * as words from '#brand/words/outcome.ts'
import { brand } from '#facts/brand.ts'
import {
  contactPath,
  formTokenField,
  formTokenPath,
  honeypotField,
  notAnEmail,
} from '#shared/contact-request.ts'
import { officeTimeInWords } from '#shared/office-time-in-words.ts'
import { nextSteps } from '../../server/leads/emails/visitor-receipt.ts'
import { suspectReasonsIn } from '../../server/proof/testing/inbox.ts'
import { sampleBudget, samplePlan } from '../../server/proof/testing/sample-plan.ts'
import { anna } from './site.ts'
import {
  confirmation,
  expect,
  failedNotice,
  fieldOf,
  fillIn,
  hold,
  invalidFields,
  open,
  sample,
  sendButton,
  sentToast,
  test,
  waitForHydration,
} from './test.ts'

const url = `**${contactPath}`
const failedToast = (page: Page) => page.getByRole('alert').filter({ hasText: words.failedTitle })
/** The send button while a request is being sent. */
const sendingButton = (page: Page) => page.getByRole('button', { name: form.sending, exact: true })
const due = (page: Page) => page.locator('#sent-panel li strong').nth(1)

test('a request is confirmed on the page and arrives by email', async ({ page, site }) => {
  const requests: Request[] = []
  page.on('request', (request) => requests.push(request))
  const release = await hold(page, url)
  await open(page, '/#contact')
  // Sending doesn't wait for the token, which is asked for on the first touch.
  const token = page.waitForResponse(`**${formTokenPath}`)
  await fillIn(page)
  await (await token).finished()
  // A request within two seconds would be suspected of being spam.
  site.setTime(10_000)
  await sendButton(page).dblclick()

  await test.step('while sending, the button says so, and fields are read-only', async () => {
    await expect(sendingButton(page)).toBeDisabled()
    await expect(sendingButton(page)).toBeFocused()
    await expect(page.getByRole('status').filter({ hasText: form.sending })).toHaveCount(1)
    await expect(fieldOf(page, 'Message')).not.toBeEditable()
    await expect(fieldOf(page, 'Budget')).toBeDisabled()
    await expect(fieldOf(page, 'Message')).toHaveValue(sample.Message)
    release()
  })

  await test.step('the visitor sees a confirmation and an empty form', async () => {
    await expect(sentToast(page)).toContainText(words.sentText)
    await expect(confirmation(page)).toBeFocused()
    await expect(confirmation(page)).toHaveAccessibleDescription(new RegExp(words.quoteStep))
    const { created_at, due_at } = await site.lead('Ada')
    const quote = nextSteps({ createdAt: new Date(created_at), dueAt: new Date(due_at) }).at(-1)
    await expect(page.locator('form li')).toHaveText([
      new RegExp(`^${words.beforeReference}.*${words.quoteGoesTo}${sample.Email}.$`),
      `${words.quoteBy}${officeTimeInWords(quote?.at ?? 0)}${words.quoteStep}`,
      ...words.laterSteps.map(({ when, what }) => when + what),
    ])
    for (const label of [...Object.keys(sample), 'Budget']) await expect(fieldOf(page, label)).toHaveValue('')
  })

  await test.step('the second click has changed nothing: there is one request, with an empty honeypot and a token', async () => {
    await expect(invalidFields(page)).toHaveCount(0)
    const sent = requests.filter((request) => request.url().endsWith(contactPath))
    expect(sent.map((request) => request.postDataJSON())).toEqual([
      expect.objectContaining({ [honeypotField]: '', [formTokenField]: expect.stringMatching(/^\d+\../) }),
    ])
    expect(await site.leads('Ada')).toHaveLength(1)
    expect(await page.context().cookies()).toEqual([])
  })

  await test.step('the email contains every entry, and is not marked as suspected spam', async () => {
    await expect.poll(() => site.mail.to(anna)).toHaveLength(1)
    const [notice] = await site.mail.to(anna)
    const { reference } = await site.lead('Ada')
    await expect(confirmation(page, reference)).toBeVisible()
    expect(notice?.subject).toContain(reference)
    for (const text of [...Object.values(sample), sampleBudget]) {
      // What visitors write is indented.
      expect(notice?.text?.replaceAll('\n  ', '\n')).toContain(text)
      expect(notice?.html).toContain(text)
    }
    expect(notice && suspectReasonsIn(notice)).toBeUndefined()
  })

  await test.step('a reload shows the reference and when the quote is due, and keeps a new draft', async () => {
    const promise = await due(page).innerText()
    const { reference } = await site.lead('Ada')
    const expectPanel = async (isFormShown: boolean) => {
      await expect(confirmation(page, reference)).toBeVisible()
      await expect(due(page)).toHaveText(promise)
      await expect(sendButton(page)).toBeVisible({ visible: isFormShown })
    }
    await page.reload()
    await expectPanel(false)
    await open(page, `/?plan=${samplePlan.id}#contact`)
    await expectPanel(false)
    await page.getByRole('link', { name: words.another }).click()
    await expect(fieldOf(page, 'First name')).toBeFocused()
    await fieldOf(page, 'Message').fill('One more thing.')
    await page.reload()
    await expectPanel(true)
    await expect(fieldOf(page, 'Message')).toHaveValue('One more thing.')
    // The first press already tries to send it.
    await sendButton(page).click()
    await expect(invalidFields(page)).toHaveCount(3)
  })

  await test.step('the next confirmation shows its own address as it was typed, and no other date', async () => {
    const replayed = {
      status: 201,
      headers: { 'Idempotency-Replayed': 'true' },
      json: { success: true, reference: 'Q-1' },
    }
    await page.route(url, (route) => route.fulfill(replayed))
    await fillIn(page, { Email: '.ada..l@gmail.com' })
    await sendButton(page).click()
    await expect(confirmation(page, 'Q-1')).toBeVisible()
    await expect(page.locator('#sent-first p')).toHaveText(`${words.quoteGoesTo}.ada..l@gmail.com.`)
    await expect(due(page)).toHaveText(words.quoteNext)
  })

  await test.step('after another request without JavaScript, the page shows the reference of that one', async () => {
    await open(page, '/?sent=Q-7K3M-9QXD#sent')
    await expect(confirmation(page, 'Q-7K3M-9QXD')).toBeVisible()
  })
})

test('a request that fails keeps its entries, and creates one lead', async ({ page, context, site }) => {
  const tokens = new Set<string>()
  page.on(
    'request',
    (request) => request.url().endsWith(contactPath) && tokens.add(request.postDataJSON()[formTokenField]),
  )
  await page.clock.install({ time: 0 })
  await open(page)
  await fillIn(page)

  await test.step('after ten seconds without a response, the page says that it is still trying, and sends the same request again', async () => {
    await page.clock.pauseAt(60_000)
    let attempts = 0
    await page.route(url, async (route) => {
      if (++attempts > 1) return route.continue()
      // The request arrives, but its response never does.
      await route.fetch()
    })
    await sendButton(page).click()
    // The ten seconds count from the next frame.
    await page.clock.runFor(20)
    await expect.poll(() => attempts).toBe(1)
    await page.clock.fastForward(9_900)
    await expect(sendingButton(page)).toBeVisible()
    await expect(page.getByText(words.stillSending)).toHaveCount(0)
    await page.clock.fastForward(200)
    await expect(page.getByRole('status').filter({ hasText: words.stillSending })).toBeVisible()
    await page.clock.resume()

    await expect(sentToast(page)).toBeVisible()
    await expect(page.getByText(words.stillSending)).toHaveCount(0)
    expect([attempts, (await site.leads('Ada')).length]).toEqual([2, 1])
  })

  await test.step('if the browser is offline, the page says so, and sending works once it is back', async () => {
    await page.unroute(url)
    await fillIn(page)
    await context.setOffline(true)
    await expect(page.getByText(form.offline)).toBeVisible()
    await sendButton(page).click()
    // Runs the clock until the last retry has failed.
    await expect(async () => {
      await page.clock.runFor(2000)
      await expect(failedToast(page)).toContainText(words.failedText, { timeout: 100 })
    }).toPass()
    await expect(failedNotice(page)).toHaveText(`${words.notSent} ${words.noConnection}${words.entriesKept}`)
    for (const [label, text] of Object.entries(sample)) await expect(fieldOf(page, label)).toHaveValue(text)
    await expect(page.getByText(form.offline)).toHaveCount(0)
    await fieldOf(page, 'Company').fill('Roofs & Co')
    const mail = page.getByRole('link', { name: words.mailInstead })
    await mail.evaluate((link: HTMLElement) => {
      link.addEventListener('click', (event) => event.preventDefault())
      link.click()
    })
    await expect(mail).toHaveAttribute('href', /Roofs%20%26%20Co/)
    const call = page.getByRole('link', { name: words.callInstead })
    await expect(call).toHaveAttribute('href', `tel:${brand.phoneLink}`)

    await context.setOffline(false)
    await sendButton(page).click()
    await expect(sentToast(page)).toBeVisible()
    expect(await site.leads('Ada')).toHaveLength(2)
  })

  await test.step('if the server refuses a request and its key, the page says only why, and the next click sends a new key', async () => {
    const detail = 'Please send it again.'
    const keys: unknown[] = []
    await page.route(url, async (route) => {
      keys.push(await route.request().headerValue('Idempotency-Key'))
      return keys.length > 1 ? route.continue() : route.fulfill({ status: 422, json: { detail } })
    })
    await fillIn(page)
    await sendButton(page).click()
    await expect(failedToast(page)).toContainText(detail)
    await expect(failedNotice(page)).toHaveText(`${words.notSent} ${detail}${words.entriesKept}`)
    await sendButton(page).click()

    await expect(sentToast(page)).toBeVisible()
    await expect(page.getByRole('alert')).toHaveCount(1)
    expect(new Set(keys).size).toBe(2)
    // Each of the three stored requests has its own.
    expect(tokens.size).toBeGreaterThanOrEqual(3)
  })
})

test('after too many requests, the page sends the text again, unless it has changed', async ({ page }) => {
  await page.clock.install({ time: new Date('2026-03-02T15:00:00Z') })
  const sent: string[] = []
  const waits = ['480', String(20 * 3600)]
  await page.route(url, (route, request) => {
    sent.push(request.postDataJSON().message)
    const wait = waits.shift()
    if (!wait) return route.continue()
    return route.fulfill({ status: 429, headers: { 'Retry-After': wait }, json: { detail: 'Too many.' } })
  })
  await open(page)
  await fillIn(page)
  await sendButton(page).click()
  const waiting = page.getByText(words.sendsAgainAt('11:38am'))
  await expect(waiting).toBeVisible()
  await fieldOf(page, 'Message').fill('Changed')
  await expect(waiting).toBeHidden()
  await page.clock.fastForward('09:00')
  await page.clock.runFor(2000)
  expect(sent).toEqual([sample.Message])

  await sendButton(page).click()
  await expect(page.getByText(new RegExp(words.sendsAgainAt('.*', 'Tuesday')))).toBeVisible()
  await page.clock.fastForward('20:00:01')
  await expect(sentToast(page)).toBeVisible()
  expect(sent).toEqual([sample.Message, 'Changed', 'Changed'])
})

test('the form points out errors and typos, and sends what is only odd', async ({ page, site }) => {
  await open(page)
  await fieldOf(page, 'Message').fill('Sent without the script')
  await page.goto('about:blank')
  await open(page, '/?sent=Q-7K3M-9QXD#sent')
  await expect(fieldOf(page, 'Message')).toHaveValue('')
  await expect(confirmation(page, 'Q-7K3M-9QXD')).toBeVisible()
  await page.getByRole('link', { name: words.another }).click()
  await waitForHydration(page)

  await test.step('the honeypot is invisible, no key claims to move on, and Hebrew is typed from right to left', async () => {
    const honeypot = page.locator(`input[name="${honeypotField}"]`)
    const rightEdge = () => honeypot.evaluate((input) => input.getBoundingClientRect().right)
    // The styles below the first view load after the first paint.
    await expect.poll(rightEdge).toBeLessThan(0)
    await expect(honeypot).toHaveCSS('display', /^(?!none)/)
    await expect(honeypot).toHaveAttribute('tabindex', '-1')
    await expect(honeypot).toHaveAttribute('autocomplete', 'off')
    await expect(page.getByRole('textbox', { name: form.leaveEmpty })).toHaveCount(0)
    await expect(page.locator('form [enterkeyhint]')).toHaveCount(0)
    for (const label of ['First name', 'Last name', 'Company', 'Message'] as const) {
      await fieldOf(page, label).fill('שלום, SEO')
      await expect(fieldOf(page, label)).toHaveCSS('direction', 'rtl')
      await fieldOf(page, label).fill('')
    }
  })

  await test.step('browsers know how to fill in a field, where it ends, and count long messages', async () => {
    for (const [label, kind, length] of [
      ['First name', 'given-name', '100'],
      ['Last name', 'family-name', '100'],
      ['Email', 'email', '254'],
      ['Phone', 'tel', '40'],
      ['Company', 'organization', '200'],
      ['Website', 'url', '2048'],
      ['Message', undefined, '5000'],
    ] as const) {
      if (kind) await expect(fieldOf(page, label)).toHaveAttribute('autocomplete', kind)
      await expect(fieldOf(page, label)).toHaveAttribute('maxlength', length)
    }
    await fieldOf(page, 'Message').fill('x'.repeat(4_600))
    await expect(page.getByText(form.messageCount(4_600, 5_000))).toBeVisible()
    await page.keyboard.insertText('x'.repeat(500))
    await expect(page.getByText(form.messageCount(5_000, 5_000))).toBeVisible()
    await expect(page.getByText(/^5,000 of 5,000 characters$/)).toHaveCount(0)
    await fieldOf(page, 'Message').fill('')
  })

  await test.step('errors appear only after the first submit, next to their fields, and disappear when fixed', async () => {
    await fieldOf(page, 'Email').fill('nobody')
    await fieldOf(page, 'First name').focus()
    await expect(invalidFields(page)).toHaveCount(0)

    await sendButton(page).click()
    await expect(invalidFields(page)).toHaveCount(4)
    await expect(fieldOf(page, 'First name')).toHaveAccessibleDescription('Please enter your first name.')
    await expect(fieldOf(page, 'Message')).toHaveAccessibleDescription(new RegExp(form.messageHint))
    await expect(page.locator(':focus')).toContainText(form.invalidFields(4))
    await expect(page.locator('form [id$="-error"]').filter({ visible: true })).toHaveCount(4)
    await expect(page.getByRole('alert')).toHaveCount(0)
    const title = { name: form.title }
    await page.getByRole('form', title).getByRole('link', { name: 'Last name' }).click()
    await expect(fieldOf(page, 'Last name')).toBeFocused()
    await fieldOf(page, 'First name').fill('Ada')
    await expect(invalidFields(page)).toHaveCount(3)
  })

  await test.step('the only error is announced, although its field already has the focus', async () => {
    await fillIn(page, { Email: 'nobody' })
    await fieldOf(page, 'Email').press('Enter')
    await expect(page.getByRole('alert').filter({ hasText: notAnEmail })).toBeVisible()
  })

  await test.step('a mistyped email address gets a suggestion that does not block sending', async () => {
    await fillIn(page, { Email: 'ada@gmial.com', Message: '' })
    const hint = page.getByRole('button', { name: 'Did you mean ada@gmail.com?' })
    await fieldOf(page, 'Message').focus()
    await expect(page.locator('[aria-live=polite]').filter({ has: hint })).toBeVisible()
    await page.keyboard.press('Shift+Tab')
    await page.keyboard.press('Enter')
    await expect(fieldOf(page, 'Email')).toBeFocused()
    await expect(fieldOf(page, 'Email')).toHaveValue('ada@gmail.com')
    await expect(page.getByText('Did you mean')).toHaveCount(0)
    await sendButton(page).click()
    await expect(fieldOf(page, 'Message')).toBeFocused()
    await expect(invalidFields(page)).toHaveCount(1)
  })

  await test.step('of what is wrong with an address, the page says the most specific', async () => {
    await fillIn(page, { Email: 'ada@analytical,example' })
    await sendButton(page).click()
    await expect(fieldOf(page, 'Email')).toBeFocused()
    await expect(page.getByText('It has no dot after the @.')).toBeVisible()
    await expect(page.getByText(notAnEmail)).toBeHidden()
  })

  await test.step('an address of another script is sent in ASCII, and text that is not a web address as it is', async () => {
    const odd = { Email: 'info@bäckerei-müller.con', 'Last name': '-', Website: '@larkspurbakery' }
    await fillIn(page, odd)
    await expect(page.getByText('Did you mean')).toBeVisible()
    await sendButton(page).click()
    await expect(sentToast(page)).toBeVisible()
    await expect(page.getByText('Did you mean')).toHaveCount(0)
    const email = 'info@xn--bckerei-mller-bfb28a.con'
    expect(await site.lead('Ada')).toMatchObject({ email, last_name: '-', website: odd.Website })
  })
})

test('an address that is corrected while the form is sent is not said to get the quote', async ({ page }) => {
  await open(page)
  await fillIn(page, { Email: 'ada@gmial.com' })
  await fieldOf(page, 'Email').focus()
  await fieldOf(page, 'Message').focus()
  const hint = page.getByRole('button', { name: 'Did you mean ada@gmail.com?' })
  await expect(hint).toBeVisible()
  const release = await hold(page, url)
  await sendButton(page).click()
  await hint.click()
  release()
  await expect(confirmation(page)).toBeVisible()
  await expect(page.getByText(words.quoteGoesTo)).toContainText('ada@gmial.com')
})
