import type { Page, Request, Route } from '@playwright/test'
import * as form from '#brand/words/form.ts'
import * as words from '#brand/words/outcome.ts'
import { brand } from '#facts/brand.ts'
import { contactPath, formTokenField, honeypotField } from '#shared/contact-request.ts'
import { officeTimeInWords } from '#shared/office-time-in-words.ts'
import { nextSteps } from '../../server/leads/visitor-receipt.ts'
import { suspectReasonsIn } from '../../server/proof/testing/inbox.ts'
import { sampleBudget, samplePlan, smallestPlan } from '../../server/proof/testing/sample-plan.ts'
import { violations } from './axe.ts'
import { planLines, planTexts } from './plan-lines.ts'
import {
  confirmation,
  expect,
  failedNotice,
  fieldOf,
  fillIn,
  forgetFailedRequests,
  pageTest,
  query,
  sample,
  sendButton,
  sentToast,
  siteTest as test,
  waitForHydration,
} from './test.ts'

const countLeads = 'select (select count(*) from leads) as leads, (select count(*) from outbox) as emails'

const failedToast = (page: Page) => page.getByRole('alert').filter({ hasText: words.failedTitle })

test('a visitor sends a request, which is confirmed on the page and arrives by email', async ({
  page,
  inbox,
  dataDir,
}) => {
  const requests: Request[] = []
  const { promise: looked, resolve: go } = Promise.withResolvers<void>()
  await page.route(`**${contactPath}`, async (route) => {
    requests.push(route.request())
    await looked
    await route.continue()
  })
  await page.emulateMedia({ reducedMotion: 'no-preference' })
  await page.goto('/#contact')
  await fillIn(page)
  // Requests that are sent earlier are suspected of being spam.
  await page.waitForTimeout(2100)
  await sendButton(page).dblclick()

  await test.step('while sending, the button says so, and fields are read-only', async () => {
    await expect(sendButton(page)).toHaveText(form.sending)
    await expect(page.getByRole('status').filter({ hasText: form.sending })).toHaveCount(1)
    await expect(sendButton(page)).toBeDisabled()
    await expect(fieldOf(page, 'Message')).not.toBeEditable()
    await expect(fieldOf(page, 'Budget')).toBeDisabled()
    await expect(fieldOf(page, 'Message')).toHaveValue(sample.Message)
    go()
  })

  await test.step('the visitor sees a confirmation and an empty form', async () => {
    await expect(sentToast(page)).toContainText(words.sentText)
    await expect(confirmation(page)).toBeFocused()
    const [lead] = query<{ created_at: string; due_at: string }>(
      dataDir,
      'select created_at, due_at from leads',
    )
    const quote = nextSteps({
      createdAt: new Date(lead?.created_at ?? ''),
      dueAt: new Date(lead?.due_at ?? ''),
    }).at(-1)
    await expect(page.locator('form li')).toHaveText([
      `${words.quoteBy}${officeTimeInWords(quote?.at ?? 0)}${words.quoteStep}`,
      ...words.laterSteps.map(({ when, what }) => when + what),
    ])
    await expect(page.locator('form').getByRole('link', { name: brand.phone })).toBeVisible()
    for (const label of Object.keys(sample)) await expect(fieldOf(page, label)).toHaveValue('')
    await expect(fieldOf(page, 'Budget')).toHaveValue('')
    await expect(fieldOf(page, 'Message')).toBeEditable()
    await expect(sendButton(page)).toHaveText(form.send)
  })

  await test.step('the double click sent one request, with an empty honeypot and a token', async () => {
    expect(requests.map((request) => request.postDataJSON())).toEqual([
      expect.objectContaining({ [honeypotField]: '', [formTokenField]: expect.stringMatching(/^\d+\../) }),
    ])
    expect(query(dataDir, countLeads)).toEqual([{ leads: 1, emails: 1 }])
  })

  await test.step('the email contains every entry, and is not marked as suspected spam', async () => {
    await expect.poll(() => inbox.emails.length, { timeout: 2000 }).toBe(1)
    const mail = await inbox.read(0)
    const reference = /Q-[0-9A-Z]{4}-[0-9A-Z]{4}/.exec(await confirmation(page).innerText())?.[0] ?? 'none'
    expect(mail.subject).toContain(reference)
    for (const text of Object.values({ ...sample, Website: 'https://analytical.example' })) {
      // What visitors write is indented.
      expect(mail.text?.replaceAll('\n  ', '\n')).toContain(text)
      expect(mail.html).toContain(text)
    }
    expect(mail.text).toContain(sampleBudget)
    expect(suspectReasonsIn(mail)).toBeUndefined()
  })

  await test.step('after the confirmation, a second click on the send button changes nothing', async () => {
    await sendButton(page).click()
    await expect(page.locator('[aria-invalid=true]')).toHaveCount(0)
    await expect(confirmation(page)).toBeFocused()
    expect(query(dataDir, countLeads)).toEqual([{ leads: 1, emails: 1 }])
  })
})

test('a request that fails keeps its entries, and creates one lead once it can be sent', async ({
  page,
  inbox,
  dataDir,
  browserErrors,
}) => {
  const url = `**${contactPath}`
  const refuse = (route: Route, status: number, detail: string) =>
    route.fulfill({
      status,
      contentType: 'application/problem+json',
      body: JSON.stringify({ type: 'about:blank', title: 'Refused', status, detail }),
    })
  await page.clock.install({ time: 0 })
  await page.goto('/')
  await waitForHydration(page)

  await test.step('after ten seconds without a response, the page says that it is still trying', async () => {
    await page.clock.pauseAt(60_000)
    // The first attempt gets no response, and times out after ten seconds as well.
    let attempts = 0
    await page.route(url, (route) => (++attempts > 1 ? route.continue() : undefined))
    await fillIn(page)
    await sendButton(page).click()
    await page.clock.runFor(50)
    await expect(sendButton(page)).toHaveText(form.sending)
    await page.clock.runFor(9_900)
    await expect(page.getByText(words.stillSending)).toHaveCount(0)
    await page.clock.runFor(100)
    await expect(page.getByRole('status').filter({ hasText: words.stillSending })).toBeVisible()
    await page.clock.resume()

    await expect(sentToast(page)).toBeVisible()
    await expect(page.getByText(words.stillSending)).toHaveCount(0)
    expect(attempts).toBe(2)
  })

  await test.step('if the server cannot be reached, the entries stay, and sending works once it is back', async () => {
    await page.unroute(url)
    await page.route(url, (route) => route.abort('connectionrefused'))
    await fillIn(page)
    await sendButton(page).click()
    // Runs the clock until the last retry has failed.
    await expect(async () => {
      await page.clock.runFor(2000)
      await expect(failedToast(page)).toContainText(words.failedText, { timeout: 100 })
    }).toPass()
    for (const label of ['First name', 'Last name', 'Email', 'Message'] as const)
      await expect(fieldOf(page, label)).toHaveValue(sample[label])
    await expect(sendButton(page)).toBeEnabled()

    await page.unroute(url)
    await sendButton(page).click()
    await expect(sentToast(page)).toBeVisible()
    await expect.poll(() => inbox.emails.length).toBe(2)
  })

  await test.step('if the server refuses a request, the page says why', async () => {
    const detail =
      'Too many requests from your connection. Please try again in 3 minutes, or email us directly.'
    await page.route(url, (route) => refuse(route, 429, detail))
    await fillIn(page)
    await sendButton(page).click()

    await expect(failedToast(page)).toContainText(detail)
    // The page adds nothing that contradicts the server's message.
    await expect(failedNotice(page)).toHaveText(`${words.notSent} ${detail}${words.entriesKept}`)
    await expect(fieldOf(page, 'Message')).toHaveValue(sample.Message)
  })

  await test.step('after a lost response, the retry does not create a second lead', async () => {
    await page.unroute(url)
    let requests = 0
    await page.route(url, async (route) => {
      if (requests++ > 0) return route.continue()
      await route.fetch()
      await route.abort('connectionreset')
    })
    await sendButton(page).click()

    await expect(sentToast(page)).toBeVisible()
    expect(requests).toBe(2)
    expect(query(dataDir, countLeads)).toEqual([{ leads: 3, emails: 3 }])
  })

  await test.step('if the server rejects the idempotency key, the next click sends a new key', async () => {
    await page.unroute(url)
    const keys: string[] = []
    await page.route(url, async (route) => {
      keys.push(String(await route.request().headerValue('Idempotency-Key')))
      return keys.length > 1 ? route.continue() : refuse(route, 422, 'Please send it again.')
    })
    await fillIn(page)
    await sendButton(page).click()
    await expect(failedNotice(page)).toBeVisible()
    await sendButton(page).click()

    await expect(sentToast(page)).toBeVisible()
    expect(new Set(keys).size).toBe(2)
  })
  // The browser logs each failed request.
  forgetFailedRequests(browserErrors)
})

test('while a visitor fills in the form, it points out errors, typos and the end of a long message', async ({
  page,
  inbox,
}) => {
  const invalid = page.locator('[aria-invalid=true]')
  await page.goto('/')
  await waitForHydration(page)

  await test.step('errors appear only after the first submit, next to their fields, and disappear when fixed', async () => {
    await fieldOf(page, 'Email').fill('nobody')
    await fieldOf(page, 'First name').focus()
    await expect(invalid).toHaveCount(0)

    await sendButton(page).click()
    await expect(invalid).toHaveCount(4)
    await expect(fieldOf(page, 'First name')).toHaveAccessibleDescription(/Please enter your first name/)
    await expect(page.locator(':focus')).toContainText(form.invalidFields(4))

    await fieldOf(page, 'First name').fill('Ada')
    await expect(fieldOf(page, 'First name')).not.toHaveAttribute('aria-invalid', 'true')
    await expect(invalid).toHaveCount(3)
  })

  await test.step('the message field shows a character count only near its limit', async () => {
    await fieldOf(page, 'Message').fill('x'.repeat(4499))
    await expect(page.getByText(form.messageCount(4499, 5000))).toHaveCount(0)
    await fieldOf(page, 'Message').press('End')
    await page.keyboard.type('x')
    await expect(page.getByText(form.messageCount(4500, 5000))).toBeVisible()
  })

  await test.step('text that is not a web address stops nothing', async () => {
    await fillIn(page, { Website: '@larkspurbakery', Message: '' })
    await sendButton(page).click()
    await expect(fieldOf(page, 'Message')).toBeFocused()
    await expect(invalid).toHaveCount(1)
  })

  await test.step('a mistyped email address gets a suggestion that does not block sending', async () => {
    await fillIn(page, { Email: 'ada@gmial.com' })
    const hint = page.getByRole('button', { name: 'Did you mean ada@gmail.com?' })
    await fieldOf(page, 'Message').focus()
    await expect(hint).toBeVisible()
    await expect(page.locator('[aria-live=polite]').filter({ has: hint })).toBeVisible()
    await expect(invalid).toHaveCount(0)
    expect(await violations(page)).toEqual([])
    await page.keyboard.press('Shift+Tab')
    await page.keyboard.press('Enter')
    await expect(fieldOf(page, 'Email')).toBeFocused()
    await expect(fieldOf(page, 'Email')).toHaveValue('ada@gmail.com')
    await expect(page.getByText('Did you mean')).toHaveCount(0)

    await fieldOf(page, 'Email').fill('linus@example')
    await fieldOf(page, 'Message').focus()
    await expect(page.getByText('Is this address complete?')).toBeVisible()
    await sendButton(page).click()
    await expect(sentToast(page)).toBeVisible()
    await expect.poll(() => inbox.emails.length).toBe(1)
    await expect(page.getByText('Is this address complete?')).toHaveCount(0)
  })
})

pageTest(
  'entries survive a reload, and a URL that names a plan selects its budget until the visitor chooses another',
  async ({ page }) => {
    await page.goto('/?plan=custom#contact')
    await expect(fieldOf(page, 'Budget')).toHaveValue('custom')
    await fillIn(page)
    await page.reload()

    await expect(fieldOf(page, 'Message')).toHaveValue(sample.Message)
    await expect(fieldOf(page, 'Budget')).toHaveValue(samplePlan.id)
    await expect(planLines(page)).toHaveText(planTexts(samplePlan))
    await expect(page.getByText(form.restored)).toBeVisible()

    await page.goto(`/?plan=${smallestPlan.id}#contact`)
    await waitForHydration(page)
    await expect(fieldOf(page, 'Budget')).toHaveValue(smallestPlan.id)
    await fieldOf(page, 'Budget').selectOption('')
    await page.reload()
    await waitForHydration(page)
    await expect(fieldOf(page, 'Budget')).toHaveValue('')
  },
)

pageTest(
  'after hydration, the page still shows a valid reference from the URL, but not an invalid one',
  async ({ page }) => {
    await page.goto('/?sent=Q-7K3M-9QXD#sent')
    await waitForHydration(page)

    await expect(confirmation(page, 'Q-7K3M-9QXD')).toBeVisible()

    // This reference is too short.
    await page.goto('/?sent=Q-7K3M#sent')
    await waitForHydration(page)
    await expect(page.getByRole('heading', { name: words.requestIsIn })).toBeHidden()
  },
)

pageTest(
  'after sending, a reload shows the reference and when the quote is due, and a new draft is kept',
  async ({ page }) => {
    await page.goto('/')
    await fillIn(page)
    await sendButton(page).click()
    await expect(confirmation(page)).toBeFocused()
    await expect(page.locator('#sent-panel li strong').first()).toHaveText(new RegExp(`^${words.quoteBy}`))
    const [reference, due] = await page.locator('#sent, #sent-panel li:first-child strong').allTextContents()
    await fieldOf(page, 'Message').fill('One more thing.')
    await page.reload()

    await expect(page.locator('#sent')).toHaveText(reference ?? '')
    await expect(page.locator('#sent')).toBeVisible()
    await expect(page.locator('#sent-panel li strong').first()).toHaveText(due ?? '')
    await expect(fieldOf(page, 'Message')).toHaveValue('One more thing.')
  },
)

pageTest(
  'if the browser is offline, the page says so instead of blaming the server',
  async ({ page, context, browserErrors }) => {
    await page.goto('/')
    await waitForHydration(page)
    await fillIn(page)
    await context.setOffline(true)
    await sendButton(page).click()

    await expect(failedNotice(page)).toHaveText(`${words.notSent} ${words.noConnection}${words.entriesKept}`)
    await context.setOffline(false)
    forgetFailedRequests(browserErrors)
  },
)

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false })

  test('a link with a plan selects its budget, and the form is sent, confirmed on the page, and emailed', async ({
    page,
    inbox,
  }) => {
    await page.goto(`/?plan=${samplePlan.id}#contact`)
    await expect(fieldOf(page, 'Budget')).toHaveValue(samplePlan.id)
    await expect(planLines(page)).toHaveText(planTexts(samplePlan))

    await expect(page.locator(`input[name="${honeypotField}"]`)).toHaveCount(1)
    // Nothing adds the scheme here, and the browser's own validation requires it.
    await fillIn(page, { Website: 'https://analytical.example' })
    await sendButton(page).click()

    await expect(page).toHaveURL(/#sent$/)
    await expect(page.getByText(words.sentText)).toBeVisible()
    await expect.poll(() => inbox.emails.length).toBe(1)
    const notice = await inbox.read(0)
    expect(suspectReasonsIn(notice)).toBeUndefined()
    const [reference = 'none'] = /Q-\w{4}-\w{4}/.exec(notice.subject ?? '') ?? []
    await expect(confirmation(page, reference)).toBeInViewport()
    await expect(page.getByText(words.quoteWithin + words.quoteStep)).toBeVisible()
  })

  test('after the server rejects a form, the page says why, and going back shows what was typed', async ({
    page,
    inbox,
    browserErrors,
  }) => {
    await page.goto('/')
    await fillIn(page, { Email: 'x=?utf-8?b?eA==?=@example.com', Website: 'https://analytical.example' })
    await sendButton(page).click()

    await expect(page.getByRole('alert')).toContainText('Please check the marked fields')
    await expect(page.getByText('Please enter an email address like name@example.com.')).toBeVisible()
    await page.goBack()
    await page.getByLabel('Email').fill(sample.Email)
    await sendButton(page).click()

    await expect(page).toHaveURL(/#sent$/)
    await expect.poll(() => inbox.emails.length).toBe(1)
    const notice = await inbox.read(0)
    expect(suspectReasonsIn(notice)).toBeUndefined()
    expect(notice.text).toContain(sample.Company)
    // The browser logs the 400 response.
    expect(browserErrors.splice(0)).toEqual([expect.stringContaining('400')])
  })
})
