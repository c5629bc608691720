import { addEvent, noteLead } from '../../../server/leads/change/change-lead.ts'
import { anna } from '../site.ts'
import { expect, hold } from '../test.ts'
import { answerBox, heading, keptInBrowser, open, openLead, press, row, test, waitForInbox } from './test.ts'

test('the list and its bar appear before the application, and do not move', async ({ page, site }) => {
  await site.restart({ SMTP_URL: undefined })
  // Files, a mark, and words that are new.
  const message = {
    text: 'Here it is.',
    received: '{"quotes":[],"attachments":["plan.pdf","storefront.jpg"]}',
  }
  const { id, email: who } = await site.lead('Marcus')
  await addEvent(site.db, { lead_id: id, at: site.now().toISOString(), who, what: 'reply', ...message })
  const release = await hold(page, '**/assets/inbox-*.js')
  await page.setViewportSize({ width: 390, height: 780 })
  await page.goto('/inbox', { waitUntil: 'commit' })
  const name = page.getByText('Priya Raman')
  await expect(name).toBeVisible()
  await expect(page.getByText('2 files: plan.pdf, storefront.jpg')).toBeVisible()
  const before = await name.boundingBox()
  release()
  await waitForInbox(page)

  const after = await name.boundingBox()
  expect(Math.abs((after?.y ?? 0) - (before?.y ?? 0))).toBeLessThan(8)
  await expect(page.getByText('Email is on hold.')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Send again' })).toHaveCount(0)
})

test('on a slow connection, rows that come after the application are not drawn beside it', async ({
  page,
}) => {
  const release = await hold(page, '**/api/summary')
  await page.goto('/inbox')
  await waitForInbox(page)
  release()
  await expect(page.getByText('–', { exact: true })).toHaveCount(0)
  await page.evaluate(() => document.fonts.ready)

  await expect(page.getByText('Priya Raman')).toHaveCount(1)
})

test('nothing covers a name: neither the box beside it nor the button that brings in new requests', async ({
  page,
  site,
}) => {
  await page.setViewportSize({ width: 390, height: 780 })
  await open(page, '/inbox')
  // Boxes are invisible until somebody selects.
  const box = page.getByLabel('Select Joanna')
  await expect(box).toHaveCSS('opacity', '0')
  await row(page, 'Joanna').focus()
  await page.keyboard.press('x')
  await expect(box).toHaveCSS('opacity', '1')
  await site.arrive('Nora', 'New')
  const covers = ['[data-row] ~ *, li > input', '[class*=news] button']
  await page.getByRole('button', { name: '1 new' }).waitFor()

  for (const top of [0, 20, 40, 60, 80, 100]) {
    await page.evaluate((y) => window.scrollTo(0, y), top)
    const gaps = await page.evaluate((selectors) => {
      const boxesOf = (selector: string) =>
        [...document.querySelectorAll(selector)].map((element) => element.getBoundingClientRect())
      const names = boxesOf('[data-row] > :first-child')
      const near = boxesOf(selectors.join()).flatMap((one) =>
        names
          .filter((name) => one.top < name.bottom && one.bottom > name.top)
          .map((name) => Math.max(name.left - one.right, one.left - name.right)),
      )
      return near
    }, covers)
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(6)
  }
})

test('a search marks what it finds, and leaves no trace in the browser', async ({ page, site }) => {
  await site.by(anna, 'Dana', noteLead, { text: 'Wants copper gutters.' })
  const addresses: string[] = []
  page.on('request', (request) => addresses.push(request.url()))
  await open(page, '/inbox')
  const search = page.getByLabel('Search all requests')
  const found = page.getByRole('status').filter({ hasText: 'found.' })
  const dana = row(page, 'Dana Whitfield').first()

  // Digits long enough that no random reference contains them.
  await search.fill('614555')
  await expect(found).toHaveText('3 requests found.')
  for (const [typed, marked] of Object.entries({ whitfield: 'Dana Whitfield', copper: 'copper' })) {
    await search.fill(typed)
    await expect(dana.locator('mark')).toHaveText(marked)
  }
  await expect(dana).toContainText('In a note: Wants copper gutters.')
  await expect(found).toHaveText('One request found.')
  await dana.click()
  await page.getByRole('link', { name: 'Figures' }).click()
  await page.getByRole('link', { name: 'Requests', exact: true }).click()
  await expect(search).toHaveValue('')
  await expect(row(page, 'Joanna')).toBeVisible()
  for (const heading of ['Figures', 'Dana Whitfield']) {
    await page.goBack()
    await expect(page.getByRole('heading', { name: heading, level: 1 })).toBeVisible()
  }
  await expect(search).toHaveValue('copper')
  await expect(found).toHaveText('One request found.')
  await page.getByRole('link', { name: /^Open/ }).click()
  await expect(found).toHaveCount(0)
  await expect(search).toHaveValue('')
  await dana.click()
  await press(page, 'Reply')
  await answerBox(page).fill('A secret offer')
  await expect.poll(() => site.draft('Dana')).toBe('A secret offer')

  const stored = { 'fonts-loaded': 'yes' }
  await expect.poll(() => keptInBrowser(page)).toEqual({ stored, databases: [], caches: [] })
  expect(addresses.filter((address) => /614555|copper|whitfield/i.test(address))).toEqual([])
})

test('a list loads page by page, and a lead goes back to its place in it', async ({ page, site }) => {
  // 300 leads that are won are enough for three pages. Erin's is on the last one.
  const { list: _, ...won } = await site.lead('Erin')
  const others = Array.from({ length: 299 }, (_, index) => ({
    ...won,
    id: `z${1000 + index}`,
    reference: `Q-${1000 + index}-MANY`,
    first_name: 'Person',
    last_name: `${index}`,
  }))
  await site.db.insertInto('leads').values(others).execute()
  await page.setViewportSize({ width: 390, height: 780 })
  await open(page, '/inbox?view=won')
  const rows = page.locator('[data-row]')
  const more = page.getByRole('button', { name: 'Show more' })
  await expect(rows).toHaveCount(100)

  await test.step('a page that could not be loaded can be asked for again', async () => {
    const next = '**/api/leads?view=won&after=*'
    await page.route(next, (route) => route.fulfill({ status: 400, json: { detail: 'No.' } }))
    await more.click()
    await expect(page.getByText('The list could not be loaded: No.')).toBeVisible()
    await expect(more).toBeEnabled()
    await page.unroute(next)
    await press(page, 'Try again')
    await expect(page.getByRole('alert')).toHaveCount(0)
  })

  await test.step('a change that is reported while a page is loading does not keep the page from loading', async () => {
    const release = await hold(page, '**/api/leads?view=won&after=*')
    await more.click()
    const refreshed = page.waitForResponse('**/api/leads?view=won')
    await site.arrive('Nora', 'New')
    await refreshed
    release()
    await expect(rows).toHaveCount(200)
  })

  await test.step('a page can be asked for while the list is refreshed', async () => {
    const release = await hold(page, '**/api/leads?view=won')
    const requested = page.waitForRequest('**/api/leads?view=won')
    await site.arrive('Nils', 'Newer')
    await requested
    await more.click()
    release()
    await expect(rows).toHaveCount(300)
    await expect(more).toHaveCount(0)
  })

  await test.step('at most a hundred are selected', async () => {
    await rows.first().focus()
    await page.keyboard.press('x')
    await rows.nth(150).focus()
    await page.keyboard.press('X')
    await expect(page.getByText('100 selected, the most at a time')).toBeVisible()
    await page.keyboard.press('Escape')
  })

  const erin = page.getByRole('link', { name: 'Erin Walsh' })
  const paper = page.getByText('Choose a request, or press')
  for (const width of [390, 1023])
    await test.step(`at ${width} px, a lead opens at its top, and going back returns to its place`, async () => {
      await page.setViewportSize({ width, height: 780 })
      const scrolled = () => page.evaluate(() => window.scrollY)
      await erin.scrollIntoViewIfNeeded()
      expect(await scrolled()).toBeGreaterThan(2000)
      await erin.click()
      await expect(heading(page, 'Erin Walsh')).toBeInViewport()
      expect(await scrolled()).toBe(0)
      await page.getByRole('link', { name: 'All requests' }).click()
      await expect(erin).toBeInViewport()
      await expect(paper).toBeHidden()
    })

  await test.step('at 1024 px, a lead opens beside the list', async () => {
    await page.setViewportSize({ width: 1024, height: 780 })
    await expect(paper).toBeInViewport()
    await erin.click()
    await expect(heading(page, 'Erin Walsh')).toBeInViewport()
    await expect(erin).toBeInViewport()
  })

  await test.step('a row that gets the focus from below is not behind the bar above the list', async () => {
    const isVisible = (row: Element) => {
      const { left, top, width } = row.getBoundingClientRect()
      return row.contains(document.elementFromPoint(left + width / 2, top + 2))
    }
    await rows.nth(101).focus()
    await rows.nth(100).evaluate((row) => {
      let pane = row.parentElement
      while (pane && getComputedStyle(pane).overflowY !== 'auto') pane = pane.parentElement
      pane?.scrollBy(0, row.getBoundingClientRect().top - pane.getBoundingClientRect().top - 80)
    })
    expect(await rows.nth(100).evaluate(isVisible)).toBe(false)
    await rows.nth(100).focus()
    expect(await rows.nth(100).evaluate(isVisible)).toBe(true)
  })
})

test('shortcuts work, except while the owner types or once turned off', async ({ page, site }) => {
  const search = page.getByLabel('Search all requests')
  await openLead(page, site, 'Dana')
  await page.keyboard.press('r')
  await expect(answerBox(page)).toBeFocused()
  await page.keyboard.type('jku/?')
  await expect(answerBox(page)).toHaveValue(/jku\/\?/)
  await page.keyboard.press('Escape')
  await expect(answerBox(page)).toHaveCount(0)
  for (const key of ['Control+/', 'Alt+/', 'Meta+/']) await page.keyboard.press(key)
  await expect(search).not.toBeFocused()
  await page.keyboard.press('/')
  await expect(search).toBeFocused()

  await press(page, 'Done')
  for (const key of ['u', 'Escape']) await page.keyboard.press(key)
  await page.keyboard.press('?')
  await page.keyboard.press('u')
  await expect(page).toHaveURL(await site.path('Dana'))
  await expect(page.getByRole('dialog')).toContainText('Ctrl+EnterSend the answer')
  await page.getByLabel('Shortcuts are on').uncheck()
  await press(page, 'Close')
  for (const key of ['?', '/']) await page.keyboard.press(key)
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(search).not.toBeFocused()
})

test('a reference typed in lower case opens its request, and the Back button leads back', async ({
  page,
  site,
}) => {
  await open(page, '/inbox?view=won')
  const path = await site.path('Dana')
  await page.goto(path.toLowerCase())
  await expect(page).toHaveURL(path)
  await page.goBack()
  await expect(page).toHaveURL('/inbox?view=won')
})

test('the number of late requests stands out, and forced colors keep the figures apart', async ({ page }) => {
  await open(page, '/inbox')
  const colorOf = (term: string) =>
    page
      .locator('dt', { hasText: term })
      .locator('+ dd')
      .evaluate((figure) => getComputedStyle(figure).color)
  await expect(page.locator('dt', { hasText: 'late' }).locator('+ dd')).not.toHaveText('0')
  const text = await page.locator('body').evaluate((body) => getComputedStyle(body).color)
  expect(await colorOf('waiting')).toBe(text)
  expect(await colorOf('late')).not.toBe(text)

  await page.emulateMedia({ forcedColors: 'active' })
  await open(page, '/inbox/figures')
  const marks = page.locator('[class*=legend] i')
  const backgrounds = await marks.evaluateAll((all) =>
    all.map((mark) => getComputedStyle(mark).backgroundColor),
  )
  expect(new Set(backgrounds).size).toBe(3)
})

test('gauges fill their width, and columns stand on the line above the names of the weeks', async ({
  page,
}) => {
  await open(page, '/inbox')
  const wrong = await page.locator('main svg[viewBox="0 0 400 12"]').evaluateAll((gauges) =>
    gauges.filter((gauge) => {
      const box = gauge.getBoundingClientRect()
      const [rule, left] = Array.from(gauge.children, (path) => path.getBoundingClientRect())
      const [thin, thick] = Array.from(gauge.children, (path) => getComputedStyle(path).strokeWidth)
      const fills =
        Math.abs(Number(rule?.width) - box.width) <= 1 && Math.abs(Number(left?.right) - box.right) <= 1
      return !fills || Number.parseFloat(String(thick)) < 2 * Number.parseFloat(String(thin))
    }),
  )
  expect(wrong).toHaveLength(0)

  await open(page, '/inbox/figures')
  const [columns, weeks] = await page
    .locator('[class*=chart]')
    .first()
    .evaluate((chart) => {
      const bottom = (element: Element | null | undefined) => Number(element?.getBoundingClientRect().bottom)
      const items = [...chart.querySelectorAll('li')]
      const filled = items.filter((item) => item.querySelector('i'))
      return [
        filled.map((item) => Math.round(bottom(item.querySelector('i')) - bottom(item))),
        items
          .flatMap((item) => [...item.querySelectorAll('span[aria-hidden]')])
          .map((week) => bottom(chart) - bottom(week)),
      ]
    })
  expect(new Set(columns)).toEqual(new Set([0]))
  expect(Math.min(...(weeks ?? []))).toBeGreaterThanOrEqual(0)
})

test('an answered request has a stamp of its own color', async ({ page, site }) => {
  await page.emulateMedia({ colorScheme: 'light' })
  await site.db.updateTable('leads').set({ state: 'answered' }).where('first_name', '=', 'Dana').execute()
  const colorOf = async (name: string, state: string) => {
    await openLead(page, site, name)
    const stamp = page.locator(`main article [data-state=${state}]`)
    return stamp.first().evaluate((element) => getComputedStyle(element).color)
  }

  expect(await colorOf('Dana', 'answered')).not.toBe(await colorOf('Priya', 'open'))
})

test('in a wide window, the bars cover what scrolls behind them', async ({ page, site }) => {
  await page.setViewportSize({ width: 1440, height: 780 })
  await openLead(page, site, 'Dana')
  // Nothing scrolls behind the facts about a person, which have the page's heading.
  const backgrounds = await page.locator('header, main :not(:has(h1))').evaluateAll((elements) =>
    elements
      .map((element) => ({ ...getComputedStyle(element), height: element.clientHeight }))
      .filter(({ position, height }) => position === 'sticky' && height > 0)
      .map(({ backgroundColor }) => backgroundColor),
  )
  expect(backgrounds).toHaveLength(3)
  expect(new Set(backgrounds).size).toBe(1)
  expect(backgrounds[0]).toMatch(/^rgb\(/)
})
