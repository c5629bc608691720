import { leadViews } from '#shared/inbox/lead.ts'
import { addressDoubt } from '#shared/inbox/words.ts'
import { expect, pageTest as test } from '../test.ts'
import { fakeInbox, waitForApplication } from './fake-inbox.ts'
import { sampleLeads } from './sample-leads.ts'

test('with and without a bar about email, the list appears before the application loads, and does not move afterward', async ({
  page,
}) => {
  const { state } = await fakeInbox(page)
  let gate = Promise.withResolvers<void>()
  await page.route('**/assets/inbox-*.js', async (route) => {
    await gate.promise
    await route.continue()
  })
  await page.setViewportSize({ width: 390, height: 780 })
  for (const mail of ['ok', 'failed'] as const)
    await test.step(`if the email status is "${mail}"`, async () => {
      state.mail = { state: mail, since: null, failed: 0 }
      gate = Promise.withResolvers()
      await page.goto('/inbox', { waitUntil: 'commit' })
      const name = page.getByText('Dana Whitfield')
      await expect(name).toBeVisible()
      await page.evaluate(() => document.fonts.ready)
      const before = await name.boundingBox()
      gate.resolve()
      await waitForApplication(page)

      const after = await name.boundingBox()
      expect(Math.abs((after?.y ?? 0) - (before?.y ?? 0))).toBeLessThan(8)
    })
})

test('counts beyond 999 are shown as "999+"', async ({ page }) => {
  await fakeInbox(page)
  await page.route('**/api/summary', (route) =>
    route.fulfill({
      json: {
        counts: Object.fromEntries(leadViews.map((view) => [view, view === 'suspects' ? 999 : 1000])),
        waiting: 1000,
        late: 1000,
        medianMinutesToAnswer: null,
        mail: { state: 'ok', since: null, failed: 0 },
      },
    }),
  )

  await page.goto('/inbox')

  await expect(page).toHaveTitle(/^\(999\+\) Inbox/)
  await expect(page.getByRole('definition').filter({ hasText: '999+' })).toHaveCount(2)
  await expect(page.getByRole('link', { name: 'Open 999+' })).toBeVisible()
  await expect(page.getByRole('link', { name: 'Suspects 999', exact: true })).toBeVisible()
})

test('as soon as a receipt bounces, the list and the lead say that the address may be wrong, and Call is the first action', async ({
  page,
}) => {
  const { state } = await fakeInbox(page)
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.goto('/inbox/Q-7K3M-9QXD')
  const actions = page.locator('article > footer').locator('> button, > a, > div > button')
  await expect(actions.first()).toHaveText('Reply')
  const lead = state.leads.find(({ reference }) => reference === 'Q-7K3M-9QXD')

  Object.assign(lead ?? {}, { addressDoubt: addressDoubt('(614) 555-0187'), email: 'dana@gmial.com' })
  await page.evaluate(() => window.dispatchEvent(new Event('fake-change')))

  const article = page.getByRole('article')
  await expect(page.locator('[data-row=Q-7K3M-9QXD]')).toContainText('The address may be wrong')
  await expect(article).toContainText('The address may be wrong: call instead.')
  await expect(article).toContainText('May mean dana@gmail.com.')
  await expect(actions.first()).toHaveText('Call')
})

test('a search says how many requests it found, and leaves no trace', async ({ page, context }) => {
  const addresses: string[] = []
  page.on('request', (request) => addresses.push(request.url()))
  await fakeInbox(page)
  await page.goto('/inbox')
  const search = page.getByLabel('Search all requests')

  await test.step('a search says how many requests it found', async () => {
    const status = page.getByRole('status')
    await search.fill('0187')
    await expect(status.filter({ hasText: 'One request found.' })).toBeAttached()
    await search.fill('614')
    await expect(status.filter({ hasText: '3 requests found.' })).toBeAttached()
    await search.fill('')
    await expect(status.filter({ hasText: 'found.' })).toHaveCount(0)
  })

  await test.step('no personal data is stored in the browser, and no URL contains a search', async () => {
    await page.getByRole('link', { name: /Dana Whitfield/ }).click()
    await page.getByRole('button', { name: 'Reply' }).click()
    await page.getByLabel('Your answer').fill('A secret offer')
    const kept = await page.evaluate(async () => ({
      local: { ...localStorage },
      session: { ...sessionStorage },
      databases: await indexedDB.databases(),
      caches: await caches.keys(),
    }))
    expect(kept).toEqual({ local: {}, session: {}, databases: [], caches: [] })
    expect(await context.cookies()).toEqual([])
    expect([page.url(), ...addresses].filter((address) => address.includes('Whitfield'))).toEqual([])
  })
})

test('a URL with look-alike characters in the reference opens the right request', async ({ page }) => {
  const [, lead] = sampleLeads()
  await fakeInbox(page)
  await page.route('**/api/leads/q4RTD8IMW', (route) => route.fulfill({ json: lead }))

  await page.goto('/inbox/q4RTD8IMW?view=all')

  await expect(page).toHaveURL('/inbox/Q-4RTD-81MW?view=all')
  await expect(page.getByRole('heading', { name: 'Marcus Oyelaran' })).toBeVisible()
})

/** 300 open leads, enough for several pages. */
const manyLeads = () => {
  const [, lead] = sampleLeads()
  return Array.from({ length: 300 }, (_, index) =>
    Object.assign({}, lead, {
      reference: `Q-${String(index).padStart(4, '0')}-MANY`,
      name: `Person ${index}`,
    }),
  )
}

test('a long list loads page by page, also after being rerendered during a refresh', async ({ page }) => {
  await fakeInbox(page, manyLeads())
  await page.goto('/inbox')
  await waitForApplication(page)
  const rows = page.locator('[data-row]')
  await expect(rows).toHaveCount(100)
  await page.getByRole('button', { name: 'Show more' }).click()
  await expect(rows).toHaveCount(200)
  const gate = Promise.withResolvers<void>()
  await page.route('**/api/leads?view=open', (route) => gate.promise.then(() => route.fallback()))
  const refreshed = page.waitForResponse('**/api/leads?view=open')
  await page.evaluate(() => window.dispatchEvent(new Event('fake-change')))
  await page.getByLabel('Search all requests').fill(' ')
  gate.resolve()
  await refreshed

  await page.getByRole('button', { name: 'Show more' }).click()
  await expect(rows).toHaveCount(300)
  await expect(page.getByRole('button', { name: 'Show more' })).toHaveCount(0)
})

test('a change that is reported while a page is loading does not keep the page from loading', async ({
  page,
}) => {
  await fakeInbox(page, manyLeads())
  await page.goto('/inbox')
  await waitForApplication(page)
  const gate = Promise.withResolvers<void>()
  const requested = page.waitForRequest('**/api/leads?view=open&after=*')
  await page.route('**/api/leads?view=open&after=*', (route) => gate.promise.then(() => route.fallback()), {
    times: 1,
  })
  await page.getByRole('button', { name: 'Show more' }).click()
  await requested

  const refreshed = page.waitForResponse('**/api/leads?view=open')
  await page.evaluate(() => window.dispatchEvent(new Event('fake-change')))
  await refreshed
  gate.resolve()
  await expect(page.locator('[data-row]')).toHaveCount(200)
})

test('going to the open requests announces none of them as new', async ({ page }) => {
  await fakeInbox(page)
  await page.goto('/inbox?view=won')
  await waitForApplication(page)
  await expect(page.locator('[data-row]')).not.toHaveCount(0)

  await page.getByRole('link', { name: /^Open/ }).click()
  await expect(page.getByRole('link', { name: /Dana Whitfield/ })).toBeVisible()
  await page.clock.runFor(1_000)
  await expect(page.getByText(/^New request from|\d new requests/)).toHaveCount(0)
})

test('on a phone, a lead opens at its top, and going back returns to the same place in the list', async ({
  page,
}) => {
  await page.setViewportSize({ width: 390, height: 780 })
  await fakeInbox(page, manyLeads())
  await page.goto('/inbox')
  await waitForApplication(page)
  const scrolled = () => page.evaluate(() => window.scrollY)
  const row = page.getByRole('link', { name: /Person 60/ })
  await row.scrollIntoViewIfNeeded()
  const before = await scrolled()
  expect(before).toBeGreaterThan(2000)

  await row.click()
  await expect(page.getByRole('heading', { name: 'Person 60' })).toBeVisible()
  expect(await scrolled()).toBe(0)
  await page.getByRole('link', { name: 'All requests' }).click()

  await expect(row).toBeInViewport()
})
