import type { Page, Request } from '@playwright/test'
import * as footer from '#brand/words/footer.ts'
import { copyAddress, planCost } from '#brand/words/form.ts'
import * as header from '#brand/words/header.ts'
import * as words from '#brand/words/outcome.ts'
import { meanings, title as pricingTitle } from '#brand/words/pricing.ts'
import { brand } from '#facts/brand.ts'
import { hours } from '#facts/hours.ts'
import { includedInAllPlans } from '#facts/promises.ts'
import { contactPath } from '#shared/contact-request.ts'
import { suspectReasonsIn } from '../../server/proof/testing/inbox.ts'
import { samplePlan } from '../../server/proof/testing/sample-plan.ts'
import { test as inboxTest, waitForInbox } from './inbox/test.ts'
import { boxOf } from './look.ts'
import { anna } from './site.ts'
import { confirmation, expect, fieldOf, fillIn, sample, sendButton, test, waitForHydration } from './test.ts'

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false })

  test('all content is visible, and navigation works without the menu button', async ({ page }) => {
    await page.setViewportSize({ width: 360, height: 740 })
    await page.goto('/')

    await expect(page.locator('h1')).toHaveCSS('font-family', /^"Bricolage Grotesque"/)
    for (const heading of await page.locator('main section h2').all()) await expect(heading).toBeVisible()
    const banner = page.getByRole('banner')
    await expect(banner.getByRole('button', { name: header.menu })).toBeHidden()
    expect((await boxOf(page, 'h1')).y).toBeGreaterThan((await boxOf(page, 'header nav')).bottom)
    for (const { id } of includedInAllPlans) await expect(page.getByText(meanings[id])).toBeVisible()
    await banner.getByRole('link', { name: header.entries.portfolio, exact: true }).click()
    await expect(page.locator('#portfolio h2')).toBeInViewport()

    for (const width of [360, 1280]) {
      await page.setViewportSize({ width, height: 740 })
      await page.locator('footer').scrollIntoViewIfNeeded()
      await expect(page.getByRole('complementary', { name: header.callBar })).toBeHidden()
      await expect(banner.locator('a[href^="tel:"]')).toBeVisible({ visible: width > 360 })
      await expect(page.locator('#contact dl')).toContainText(hours.text)
    }
    await expect(page.getByRole('button', { name: copyAddress })).toBeHidden()
    await expect(banner.locator('a[href^="tel:"]')).toHaveText(`${brand.phone}${hours.text}`)
  })

  test('a rejected form keeps its entries, an accepted one is confirmed', async ({ page, site }) => {
    await page.goto(`/?plan=${samplePlan.id}#contact`)
    await expect(fieldOf(page, 'Budget')).toHaveValue(samplePlan.id)
    await expect(page.locator('[data-plan]:visible')).toContainText([samplePlan.name, planCost])
    await fillIn(page, { Email: 'x=?utf-8?b?eA==?=@example.com' })
    await sendButton(page).click()
    await expect(page.getByRole('alert')).toContainText('Please check the marked fields')
    await expect(page.getByText('Please enter an email address like name@example.com.')).toBeVisible()
    await page.goBack()
    await fieldOf(page, 'Email').fill(sample.Email)
    await sendButton(page).click()

    await expect(page).toHaveURL(/#sent$/)
    await expect(confirmation(page, (await site.lead('Ada')).reference)).toBeInViewport()
    await expect(page.getByText(words.sentText)).toBeVisible()
    await expect(page.getByText(words.quoteNext + words.quoteStep)).toBeVisible()
    await expect(sendButton(page)).toBeHidden()
    await page.getByRole('link', { name: words.another }).click()
    await expect(fieldOf(page, 'Message')).toBeVisible()
    await expect.poll(() => site.mail.to(anna)).toHaveLength(1)
    const [notice] = await site.mail.to(anna)
    expect(notice?.text).toContain(sample.Company)
    expect(notice && suspectReasonsIn(notice)).toBeUndefined()
  })
})

const throwWhileRendering = (page: Page) =>
  page.route('**/assets/{main,app}-*.js', async (route) => {
    const response = await route.fetch()
    const skip = new RegExp(`(["'\`])${header.skip}\\1`, 'g')
    const throwing = '(()=>{throw new Error("the roof is open")})()'
    await route.fulfill({ response, body: (await response.text()).replace(skip, throwing) })
  })

const neverLoads = 'the application never loads'
const failures: Record<string, (page: Page) => Promise<unknown>> = {
  [neverLoads]: (page) => page.route('**/assets/main-*.js', () => {}),
  'a part of it does not load': (page) => page.route('**/assets/app-*.js', (route) => route.abort()),
  'it throws while rendering': throwWhileRendering,
  'it throws in an effect': (page) =>
    page.addInitScript(() => {
      Object.defineProperty(HTMLFormElement.prototype, 'noValidate', {
        set(isOff: boolean) {
          if (isOff) throw new Error('the roof is open')
        },
      })
    }),
}

test('if the application fails, the browser sends the form', async ({ page, browserErrors }) => {
  for (const [name, fail] of Object.entries(failures)) {
    await fail(page)
    await page.route(`**${contactPath}`, (route) => route.fulfill({ status: 204 }))
    await page.goto('/', { waitUntil: 'commit' })
    await fillIn(page, { Email: 'ada' })
    // The browser reports failed requests itself.
    const errors = () => browserErrors.filter((line) => !line.startsWith('Failed to load'))
    await expect.poll(errors, name).toHaveLength(name === neverLoads ? 0 : 1)
    await expect(page.locator('h1'), name).toBeVisible()
    await sendButton(page).click()
    await expect(fieldOf(page, 'Email'), name).toBeFocused()
    await fieldOf(page, 'Email').fill(sample.Email)
    const [request] = await Promise.all([page.waitForRequest(`**${contactPath}`), sendButton(page).click()])

    const sent = Object.fromEntries(new URLSearchParams(request.postData() ?? ''))
    expect(sent, name).toMatchObject({ email: sample.Email, budget: samplePlan.id })
    // Without a route, a request that waits for a response would get one, and the application would
    // start after all.
    await page.goto('about:blank')
    await page.unrouteAll({ behavior: 'ignoreErrors' })
    browserErrors.length = 0
  }
})

test('if the application fails while it sends, the browser sends the form', async ({
  page,
  browserErrors,
}) => {
  await page.addInitScript(() => {
    const { setAttribute } = Element.prototype
    Element.prototype.setAttribute = function (name, value) {
      if (name === 'aria-busy') throw new Error('the roof is open')
      setAttribute.call(this, name, value)
    }
  })
  await page.route(`**${contactPath}`, (route) =>
    route.request().isNavigationRequest() ? route.fulfill({ status: 204 }) : route.abort(),
  )
  await page.goto('/')
  await waitForHydration(page)
  await fillIn(page)
  await sendButton(page).click()
  await expect.poll(() => browserErrors.join()).toContain('the roof is open')
  await expect(fieldOf(page, 'Message')).toBeEditable()
  await expect(sendButton(page)).toBeFocused()

  const isPlain = (request: Request) => request.isNavigationRequest() && request.method() === 'POST'
  const [request] = await Promise.all([page.waitForRequest(isPlain), sendButton(page).click()])
  expect(request.postData()).toContain(sample['Last name'])
  browserErrors.length = 0
})

test('without a prerendered page, an error shows its message', async ({ page, browserErrors }) => {
  await throwWhileRendering(page)
  await page.addInitScript(() =>
    document.addEventListener('readystatechange', () => document.getElementById('root')?.replaceChildren(), {
      once: true,
    }),
  )
  await page.goto('/no-such-page')

  await expect(page.getByRole('heading', { name: 'Unexpected Application Error!' })).toBeVisible()
  await expect(page.getByRole('heading', { name: 'the roof is open' })).toBeVisible()
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  browserErrors.length = 0
})

test('the page needs neither its style sheet nor its fonts', async ({ page, browserErrors }) => {
  await page.route('**/{assets/style-*.css,bricolage*.woff2}', (route) => route.abort())
  await page.route('**/instrument*.woff2', () => {})
  await page.goto('/', { waitUntil: 'domcontentloaded' })
  await waitForHydration(page)

  await expect(page.locator('h1')).toHaveCSS('font-family', /^"Display fallback"/)
  await expect(page.getByRole('heading', { name: pricingTitle })).toBeVisible()
  await expect(page.getByText(footer.noTrackers)).toBeVisible()
  // The pale text of the plans needs a dark ground.
  await expect(page.locator('[data-theme]').first()).not.toHaveCSS('background-color', 'rgba(0, 0, 0, 0)')
  browserErrors.length = 0
})

inboxTest('a page of the inbox that fails to load can be opened again', async ({ page, browserErrors }) => {
  await page.goto('/inbox')
  await waitForInbox(page)
  await page.route('**/assets/inbox-figures-*.js', (route) => route.abort())
  await page.getByRole('link', { name: 'Figures' }).click()
  await expect(page.getByRole('alert')).toContainText('This page could not be shown')
  await expect(page.getByRole('link', { name: 'Requests', exact: true })).toBeVisible()
  expect(browserErrors.filter((line) => !line.startsWith('Failed to load'))).toHaveLength(1)

  await page.unroute('**/assets/inbox-figures-*.js')
  await page.getByRole('link', { name: 'Try again' }).click()
  await expect(page.getByRole('heading', { name: 'Figures' })).toBeVisible()
  browserErrors.length = 0
})
