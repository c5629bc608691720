import { setTimeout as sleep } from 'node:timers/promises'
import type { BrowserContext, Page, Route } from '@playwright/test'
import { POLL_EVERY_MS } from '../../../server/inbox/live/live-routes.ts'
import { noteLead } from '../../../server/leads/change/change-lead.ts'
import { setTextSize } from '../look.ts'
import { hold } from '../test.ts'
import { ben, expect, heading, open, openLead, press, row, type Site, setVisibility, test } from './test.ts'

const announced = (page: Page, text: string | RegExp) => page.getByRole('status').filter({ hasText: text })
/** The browser's clock is an hour ahead of the server's. */
const setWrongClock = (context: BrowserContext, site: Site) =>
  context.clock.setSystemTime(site.now().getTime() + 60 * 60_000)

test('a new request moves no row, also if the clock is wrong: a line brings it in on top', async ({
  page,
  context,
  site,
}) => {
  await setWrongClock(context, site)
  await open(page, '/inbox?view=won')
  await page.getByRole('link', { name: /^Open/ }).click()
  await expect(row(page, 'Dana Whitfield')).toBeVisible()
  const [, unread] = /^\((\d+)\)/.exec(await page.title()) ?? []

  const boxes = () =>
    page.locator('[data-row]').evaluateAll((rows) => rows.map((row) => row.getBoundingClientRect().y))
  const before = await boxes()
  await site.arrive('Nora', 'New')
  await expect(page.getByRole('button', { name: '1 new' })).toBeVisible()
  expect(await boxes()).toEqual(before)
  await expect(page).toHaveTitle(new RegExp(`^\\(${Number(unread) + 1}\\) Inbox`))
  await expect(announced(page, 'New request')).toHaveText('New request from Nora New')

  await press(page, '1 new')
  await expect(page.locator('[data-row]').first()).toContainText('Nora New')
  await expect(row(page, 'Nora New')).toBeFocused()
  await row(page, 'Nora New').click()
  await expect(heading(page, 'Nora New')).toBeVisible()
  await expect.poll(async () => (await site.lead('Nora')).seen_at).not.toBeNull()
  await site.arrive('Nils', 'Newer')
  await expect(announced(page, 'New request from Nils Newer')).toBeAttached()
  await press(page, '1 new')
  await expect(page.locator('[data-row]').first()).toContainText('Nils Newer')
  await expect(page.locator('[data-row]').nth(1)).toContainText('Nora New')
})

test('in the background, the title counts a new request within a minute', async ({ page, context, site }) => {
  await open(page, '/inbox')
  const [, waiting] = /^\((\d+)\)/.exec(await page.title()) ?? []
  await page.evaluate(setVisibility, 'hidden')
  await site.arrive('Nora', 'New')
  await site.advance(60_000, context)

  await expect(page).toHaveTitle(new RegExp(`^\\(${Number(waiting) + 1}\\) Inbox`))
})

test('on a phone with large text, the line that brings news in is below the top bar', async ({
  page,
  site,
}) => {
  await page.setViewportSize({ width: 360, height: 740 })
  await open(page, '/inbox')
  await setTextSize(page, 32)
  await site.arrive('Nora', 'New')
  await expect(page.getByRole('button', { name: '1 new' })).toBeVisible()
  await page.evaluate(() => scrollTo(0, 900))
  const [bar, news] = [page.getByRole('banner'), page.getByRole('button', { name: '1 new' })]
  const [above, below] = [await bar.boundingBox(), await news.boundingBox()]
  expect(below?.y).toBeGreaterThanOrEqual((above?.y ?? 0) + (above?.height ?? 0) - 1)
})

test('a request that could not be loaded can be loaded again', async ({ page, site }) => {
  const refuse = (route: Route) => route.fulfill({ status: 400, json: { detail: 'No.' } })
  await page.route('**/api/leads/Q-*', refuse)
  // News would load the request by themselves.
  await hold(page, '**/api/events')
  await page.goto(`/inbox/${(await site.lead('Dana')).reference}`)
  await expect(page.getByText('This request could not be loaded: No.')).toBeVisible()

  await page.unroute('**/api/leads/Q-*')
  await press(page, 'Try again')

  await expect(heading(page, 'Dana Whitfield')).toBeVisible()
})

test('a lost connection is shown, moves nothing, and is made up for', async ({ page, context, site }) => {
  await setWrongClock(context, site)
  const release = await hold(page, '**/api/events')
  const opened = open(page, '/inbox')
  // Looks at the first frame with rows, because three seconds later,
  // the page says that it is not connected.
  const first = await page.waitForFunction(
    () =>
      document.querySelector('[data-row]') && [document.querySelector('header [role=status]')?.textContent],
  )
  expect(await first.jsonValue()).toEqual([''])
  release()
  await opened
  const status = page.locator('header [role=status]')
  const boxesAt = async (width: number) => {
    await page.setViewportSize({ width, height: 780 })
    return page
      .locator('header > :not([role=status]), main')
      .evaluateAll((all) => all.map((element) => JSON.stringify(element.getBoundingClientRect())))
  }
  const before = [await boxesAt(320), await boxesAt(1440)]

  await context.setOffline(true)
  await expect(status).toHaveText('Offline: this page may be out of date')

  expect([await boxesAt(320), await boxesAt(1440)]).toEqual(before)
  await site.arrive('Nora', 'New')
  await context.setOffline(false)
  await press(page, '1 new')
  await expect(row(page, 'Nora New')).toBeVisible()
  await expect(status).toHaveText('Live')

  await page.route('**/api/session', (route) => route.abort())
  await page.reload()
  await expect(page.getByText('The server is not responding. Trying again…')).toBeVisible()
})

test('what came while only the stream of changes was lost is fetched when it opens again', async ({
  page,
  site,
}) => {
  const end = (route: Route) => route.fulfill({ contentType: 'text/event-stream', body: ':\n\n' })
  await page.route('**/api/events', (route) => route.abort())
  await page.route('**/api/events', end, { times: 1 })
  await page.goto('/inbox')
  await expect(page.locator('header [role=status]')).toHaveText(/^Reconnecting/)

  await site.arrive('Nora', 'New')
  await page.unroute('**/api/events')

  // Sooner than the page looks by itself.
  await expect(page.getByRole('button', { name: '1 new' })).toBeVisible({ timeout: 20_000 })
})

test('changes that are reported while the page is fetching are fetched in one more round', async ({
  page,
  site,
}) => {
  await open(page, '/inbox')
  let rounds = 0
  page.on('request', (request) => {
    if (request.url().endsWith('/api/summary')) rounds++
  })
  const release = await hold(page, '**/api/summary')
  for (const name of ['Nora', 'Nils', 'Nina', 'Nathan']) {
    await site.arrive(name, 'New')
    // So that each is reported by an event.
    await sleep(2 * POLL_EVERY_MS)
  }
  expect(rounds).toBe(1)
  release()

  await expect(page.getByRole('button', { name: '4 new' })).toBeVisible()
  await expect(announced(page, '4 new requests')).toBeAttached()
  expect(rounds).toBe(2)
})

test('an open menu stays where it is while its page grows', async ({ page, site }) => {
  for (const width of [768, 1280]) {
    await page.setViewportSize({ width, height: 500 })
    await openLead(page, site, 'Dana')
    await press(page, 'Done')
    const note = page.getByRole('button', { name: 'Add a note' })
    // Where a phone's bar covers nothing, there is still some room below the last entry.
    await expect(page.getByRole('list').filter({ has: note })).not.toHaveCSS('padding-bottom', '0px')
    const place = () => note.boundingBox()
    const before = await place()
    await site.by(ben, 'Dana', noteLead, { text: `Called at ${width}` })
    await expect(page.getByText(`Called at ${width}`)).toBeVisible()
    expect(await place()).toEqual(before)
    await expect(page.getByRole('button', { name: 'I answered elsewhere' })).toBeInViewport()
  }
})
