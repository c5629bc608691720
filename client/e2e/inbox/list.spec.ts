import {
  answerBox,
  expect,
  heading,
  press,
  row,
  type Site,
  test,
  waitForApplication,
  waitForStream,
} from './test.ts'

for (const hasMail of [true, false])
  test(`${hasMail ? 'without' : 'with'} a bar about email, the list appears before the application loads, and does not move afterward`, async ({
    page,
    site,
  }) => {
    if (!hasMail) await site.restart({ SMTP_URL: undefined })
    const gate = Promise.withResolvers<void>()
    await page.route('**/assets/inbox-*.js', (route) => gate.promise.then(() => route.continue()))
    await page.setViewportSize({ width: 390, height: 780 })
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

test('as soon as a receipt bounces, the list and the lead say that the address may be wrong, and Call is the first action', async ({
  page,
  site,
}) => {
  await page.setViewportSize({ width: 1440, height: 900 })
  site.mail.refuse('bo@gmial.com', '550 5.1.1 No such user here.')
  await page.goto('/inbox')
  await waitForStream(page)

  await site.arrive('Bo', 'Bounce', { email: 'bo@gmial.com', phone: '(614) 555-0187' })

  await expect(row(page, 'Bo Bounce')).toContainText('The address may be wrong')
  await row(page, 'Bo Bounce').click()
  const article = page.getByRole('article')
  await expect(article).toContainText('The address may be wrong: call instead.')
  await expect(article).toContainText('May mean bo@gmail.com.')
  const actions = article.locator('> footer').locator('> button, > a, > div > button')
  await expect(actions.first()).toHaveText('Call')
  await row(page, 'Dana Whitfield').click()
  await expect(actions.first()).toHaveText('Reply')
})

test('a search says how many requests it found, and neither it nor an answer leaves a trace in the browser', async ({
  page,
  site,
}) => {
  const addresses: string[] = []
  page.on('request', (request) => addresses.push(request.url()))
  await page.goto('/inbox')
  const search = page.getByLabel('Search all requests')
  const found = page.getByRole('status').filter({ hasText: 'found.' })

  await search.fill('0187')
  await expect(found).toHaveText('One request found.')
  await search.fill('614')
  await expect(found).toHaveText('3 requests found.')
  await search.fill('')
  await expect(found).toHaveCount(0)
  await row(page, 'Dana Whitfield').click()
  await press(page, 'Reply')
  await answerBox(page).fill('A secret offer')
  await expect.poll(() => site.draft('Dana')).toBe('A secret offer')

  const kept = await page.evaluate(async () => ({
    local: { ...localStorage },
    session: { ...sessionStorage },
    databases: await indexedDB.databases(),
    caches: await caches.keys(),
  }))
  expect(kept).toEqual({ local: {}, session: {}, databases: [], caches: [] })
  expect(addresses.filter((address) => /614|0187|Whitfield/.test(address))).toEqual([])
})

test('a URL with look-alike characters in the reference opens the right request', async ({ page, site }) => {
  const reference = 'Q-4RTD-81MW'
  await site.db.updateTable('leads').set({ reference }).where('first_name', '=', 'Marcus').execute()

  await page.goto('/inbox/q4RTD8IMW?view=all')

  await expect(page).toHaveURL(`/inbox/${reference}?view=all`)
  await expect(heading(page, 'Marcus Oyelaran')).toBeVisible()
})

/** Stores 300 leads, enough for three pages. */
async function storeMany(site: Site) {
  await site.arrive('Person', '0')
  const first = await site.lead('Person')
  const others = Array.from({ length: 299 }, (_, index) => ({
    ...first,
    id: `z${1000 + index}`,
    reference: `Q-${1000 + index}-MANY`,
    last_name: `${index + 1}`,
  }))
  await site.db.insertInto('leads').values(others).execute()
}

test.describe('with three pages of requests', () => {
  test.use({ hasLeads: false })

  test('a list loads page by page, whatever is refreshed meanwhile', async ({ page, site }) => {
    await storeMany(site)
    await page.goto('/inbox')
    await waitForStream(page)
    const rows = page.locator('[data-row]')
    const more = page.getByRole('button', { name: 'Show more' })
    await expect(rows).toHaveCount(100)

    await test.step('a change that is reported while a page is loading does not keep the page from loading', async () => {
      const gate = Promise.withResolvers<void>()
      const requested = page.waitForRequest('**/api/leads?view=open&after=*')
      const held = '**/api/leads?view=open&after=*'
      await page.route(held, (route) => gate.promise.then(() => route.continue()), { times: 1 })
      await more.click()
      await requested
      const refreshed = page.waitForResponse('**/api/leads?view=open')
      await site.arrive('Nora', 'New')
      await refreshed
      gate.resolve()
      await expect(rows).toHaveCount(200)
    })

    await test.step('a page can be asked for while the list is refreshed and rendered again', async () => {
      const gate = Promise.withResolvers<void>()
      await page.route('**/api/leads?view=open', (route) => gate.promise.then(() => route.continue()), {
        times: 1,
      })
      const requested = page.waitForRequest('**/api/leads?view=open')
      await site.arrive('Nils', 'Newer')
      await requested
      await page.getByLabel('Search all requests').fill(' ')
      await more.click()
      gate.resolve()
      await expect(rows).toHaveCount(300)
    })

    await more.click()
    await expect(rows).toHaveCount(302)
    await expect(more).toHaveCount(0)
  })

  test('on a phone, a lead opens at its top, and going back returns to the same place in the list', async ({
    page,
    site,
  }) => {
    await storeMany(site)
    await page.setViewportSize({ width: 390, height: 780 })
    await page.goto('/inbox')
    await waitForApplication(page)
    const scrolled = () => page.evaluate(() => window.scrollY)
    const person = page.getByRole('link', { name: 'Person 60' })
    await person.scrollIntoViewIfNeeded()
    expect(await scrolled()).toBeGreaterThan(2000)

    await person.click()
    await expect(heading(page, 'Person 60')).toBeVisible()
    expect(await scrolled()).toBe(0)
    await page.getByRole('link', { name: 'All requests' }).click()

    await expect(person).toBeInViewport()
  })
})

test('shortcuts move through the list, open leads and focus the search field, but not while the owner types or after they are turned off', async ({
  page,
  site,
}) => {
  const searchField = page.getByLabel('Search all requests')
  const answer = answerBox(page)
  await page.goto('/inbox')
  await waitForApplication(page)

  await expect(row(page, 'Dana Whitfield')).toBeVisible()
  // Dana is third in the list.
  for (let presses = 0; presses < 3; presses++) await page.keyboard.press('j')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(await site.path('Dana'))
  await expect(page.getByRole('button', { name: 'Reply' })).toBeVisible()
  await page.keyboard.press('r')
  await expect(answer).toBeFocused()
  await page.keyboard.type('jku/?')
  await expect(answer).toHaveValue(/jku\/\?/)
  await page.keyboard.press('Escape')
  await expect(answer).toHaveCount(0)
  await page.keyboard.press('u')
  await expect(page).toHaveURL('/inbox')
  await page.keyboard.press('/')
  await expect(searchField).toBeFocused()

  await searchField.blur()
  await page.keyboard.press('?')
  await page.getByLabel('Shortcuts are on').uncheck()
  await page.getByRole('button', { name: 'Close' }).click()
  await page.keyboard.press('?')
  await page.keyboard.press('/')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(searchField).not.toBeFocused()
})
