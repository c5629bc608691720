import {
  answerBox,
  expect,
  heading,
  press,
  row,
  type Site,
  test,
  waitForApplication,
  waitForKeys,
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
    await expect(page.getByText('Email is on hold.')).toHaveCount(hasMail ? 0 : 1)
    await expect(page.getByRole('button', { name: 'Send again' })).toHaveCount(0)
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

  // Digits long enough that no random reference contains them.
  await search.fill('5550187')
  await expect(found).toHaveText('One request found.')
  await search.fill('614555')
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
  expect(addresses.filter((address) => /614555|5550187|Whitfield/.test(address))).toEqual([])
})

/** Stores 300 leads that are won, enough for three pages. Erin's is on the last page. */
async function storeMany(site: Site) {
  const erin = await site.lead('Erin')
  const others = Array.from({ length: 299 }, (_, index) => ({
    ...erin,
    id: `z${1000 + index}`,
    reference: `Q-${1000 + index}-MANY`,
    first_name: 'Person',
    last_name: `${index}`,
  }))
  await site.db.insertInto('leads').values(others).execute()
}

test('a list loads page by page, whatever is refreshed meanwhile, and a lead opens at its top and goes back to its place in the list', async ({
  page,
  site,
}) => {
  await storeMany(site)
  await page.setViewportSize({ width: 390, height: 780 })
  await page.goto('/inbox?view=won')
  await waitForStream(page)
  const rows = page.locator('[data-row]')
  const more = page.getByRole('button', { name: 'Show more' })
  await expect(rows).toHaveCount(100)

  /** Holds back the next request of this form until the result is called. */
  const hold = async (url: string) => {
    const gate = Promise.withResolvers<void>()
    await page.route(url, (route) => gate.promise.then(() => route.continue()), { times: 1 })
    return gate.resolve
  }
  await test.step('a change that is reported while a page is loading does not keep the page from loading', async () => {
    const release = await hold('**/api/leads?view=won&after=*')
    await more.click()
    const refreshed = page.waitForResponse('**/api/leads?view=won')
    await site.arrive('Nora', 'New')
    await refreshed
    release()
    await expect(rows).toHaveCount(200)
  })

  await test.step('a page can be asked for while the list is refreshed', async () => {
    const release = await hold('**/api/leads?view=won')
    const requested = page.waitForRequest('**/api/leads?view=won')
    await site.arrive('Nils', 'Newer')
    await requested
    await more.click()
    release()
    await expect(rows).toHaveCount(300)
    await expect(more).toHaveCount(0)
  })

  await test.step('on a phone, a lead opens at its top, and going back returns to its place', async () => {
    const scrolled = () => page.evaluate(() => window.scrollY)
    const erin = page.getByRole('link', { name: 'Erin Walsh' })
    await erin.scrollIntoViewIfNeeded()
    expect(await scrolled()).toBeGreaterThan(2000)
    await erin.click()
    await expect(heading(page, 'Erin Walsh')).toBeVisible()
    expect(await scrolled()).toBe(0)
    await page.getByRole('link', { name: 'All requests' }).click()
    await expect(erin).toBeInViewport()
  })
})

test('shortcuts move through the list, open leads and focus the search field, but not while the owner types or after they are turned off', async ({
  page,
  site,
}) => {
  const search = page.getByLabel('Search all requests')
  await page.goto('/inbox')
  await waitForKeys(page)

  await expect(row(page, 'Dana Whitfield')).toBeVisible()
  // Dana is third in the list.
  for (const key of ['j', 'j', 'j', 'Enter']) await page.keyboard.press(key)
  await expect(page).toHaveURL(await site.path('Dana'))
  await expect(page.getByRole('button', { name: 'Reply' })).toBeVisible()
  await page.keyboard.press('r')
  await expect(answerBox(page)).toBeFocused()
  await page.keyboard.type('jku/?')
  await expect(answerBox(page)).toHaveValue(/jku\/\?/)
  await page.keyboard.press('Escape')
  await expect(answerBox(page)).toHaveCount(0)
  await page.keyboard.press('u')
  await expect(page).toHaveURL('/inbox')
  await page.keyboard.press('/')
  await expect(search).toBeFocused()

  await search.blur()
  await page.keyboard.press('?')
  await page.getByLabel('Shortcuts are on').uncheck()
  await page.getByRole('button', { name: 'Close' }).click()
  await page.keyboard.press('?')
  await page.keyboard.press('/')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(search).not.toBeFocused()
})
