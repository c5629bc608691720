import type { Page } from '@playwright/test'
import { answerLead } from '../../../server/leads/answers/answer-lead.ts'
import { markSeen } from '../../../server/leads/change/change-lead.ts'
import { sumShifts } from '../look.ts'
import {
  anna,
  expect,
  open,
  openLead,
  press,
  receive,
  row,
  type Site,
  setVisibility,
  stayOnLead,
  test,
} from './test.ts'

const phone = { width: 390, height: 780 }
const MINUTE_MS = 60_000
const long = `${'We need more pages. '.repeat(60)}`

/** Dana, who got an answer, replies to it. */
async function reply(site: Site, id: string, text: string) {
  const answers = site.db.selectFrom('outbox').select('message_id').where('kind', '=', 'answer')
  const { message_id } = await answers.where('recipient', '=', 'dana@example.com').executeTakeFirstOrThrow()
  const ids = { 'Message-ID': `<${id}@example.com>`, 'In-Reply-To': String(message_id) }
  await receive(site, { From: 'Dana <dana@example.com>', ...ids }, text)
}

/** A text of the thread. */
const said = (page: Page, text: string) => page.locator('main article').getByText(text, { exact: true })

/** Where a text of the thread is, below the top bar and above the buttons. */
async function placeOf(page: Page, text: string) {
  const box = await said(page, text).boundingBox()
  const bar = await page.locator('main footer').boundingBox()
  if (!box || !bar) throw new Error(`"${text}" is not on the page.`)
  return { top: box.y, aboveButtons: bar.y - box.y - box.height }
}

test.beforeEach(async ({ page, context, site }) => {
  await stayOnLead(context)
  await page.setViewportSize(phone)
  await site.by(anna, 'Dana', markSeen)
  await site.by(anna, 'Dana', answerLead, { text: `Yes, we can. ${long}` })
  await site.advance(MINUTE_MS, context)
  await site.sendEmails()
})

test('a thread opens at the first of two messages that nobody has read, and else at its end', async ({
  page,
  site,
}) => {
  await reply(site, '1', 'We want to go ahead!')
  await reply(site, '2', `Have a nice day! ${long}`)
  await openLead(page, site, 'Dana')
  const { top, aboveButtons } = await placeOf(page, 'We want to go ahead!')
  expect(top).toBeGreaterThan(64)
  expect(top).toBeLessThan(200)
  expect(aboveButtons).toBeGreaterThan(0)
  const news = page.getByRole('listitem').filter({ hasText: /^New$/ })
  await expect(news).toBeInViewport()
  const { id } = await site.lead('Dana')
  const unread = async () => {
    const lead = site.db.selectFrom('leads').select('read_up_to').where('id', '=', id)
    const newest = site.db.selectFrom('lead_events').select('id').where('lead_id', '=', id)
    const [last] = await newest.where('what', '=', 'reply').orderBy('id', 'desc').execute()
    return Number(last?.id) - (await lead.executeTakeFirstOrThrow()).read_up_to
  }
  await expect.poll(unread).toBeLessThanOrEqual(0)
  await expect(row(page, 'Dana Whitfield').getByText('New', { exact: true })).toHaveCount(0)
  // The mark stays during the visit.
  await expect(news).toBeInViewport()

  await reply(site, '3', 'See you!')
  await expect(page.getByRole('button', { name: '1 new message' })).toBeVisible()
  expect(await placeOf(page, 'We want to go ahead!')).toEqual({ top, aboveButtons })
  await page.waitForTimeout(300)
  expect(await unread()).toBeGreaterThan(0)
  await page.getByRole('button', { name: '1 new message' }).click()
  await expect(said(page, 'See you!')).toBeInViewport()
  await expect(page.getByRole('button', { name: '1 new message' })).toHaveCount(0)
  const seen = page.waitForResponse('**/seen')
  await reply(site, '4', 'Really.')
  await seen
  await expect(said(page, 'Really.')).toBeVisible()
  await expect.poll(async () => (await placeOf(page, 'Really.')).aboveButtons).toBeGreaterThan(0)
  await expect.poll(unread).toBeLessThanOrEqual(0)

  // What covers the end of the thread: a sheet, and a menu.
  for (const [button, id] of [
    ['Later', '5'],
    ['Done', '6'],
  ] as const) {
    await press(page, button)
    await reply(site, id, `Behind ${button}.`)
    await expect(said(page, `Behind ${button}.`)).toBeAttached()
    if (button === 'Later') await expect(page.getByRole('alert')).toHaveText('Dana Whitfield wrote again.')
    await page.waitForTimeout(300)
    expect(await unread()).toBeGreaterThan(0)
    await page.keyboard.press('Escape')
    await expect.poll(unread).toBeLessThanOrEqual(0)
  }

  await page.getByRole('link', { name: 'All requests' }).click()
  await row(page, 'Dana Whitfield').click()
  await expect(said(page, 'Behind Done.')).toBeInViewport({ ratio: 1 })
  expect((await placeOf(page, 'Behind Done.')).aboveButtons).toBeGreaterThan(0)
  await expect(news).toHaveCount(0)
})

test('a request that nobody has read opens at its top, with the conversation on the first screen', async ({
  page,
  site,
}) => {
  await site.arrive('Nora', 'New', { message: 'First words.', company: 'N', website: 'https://n.example/' })
  await open(page, await site.path('Nora'))

  await expect(page.getByRole('heading', { level: 1 })).toBeInViewport()
  expect((await placeOf(page, 'First words.')).aboveButtons).toBeGreaterThan(300)
  await page.getByRole('button', { name: 'Details', expanded: false }).click()
  await expect(page.getByRole('link', { name: 'n.example' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Details', expanded: true })).toBeVisible()
})

test('on a wide screen, the details stay beside the conversation, and little is idle', async ({
  page,
  site,
}) => {
  await page.setViewportSize({ width: 1440, height: 900 })
  await openLead(page, site, 'Dana')
  const details = page.getByRole('region', { name: 'Details' })
  await expect(details.getByText('Reference', { exact: true })).toBeInViewport()
  const message = await page
    .getByText(/^Yes, we can/)
    .first()
    .boundingBox()
  const beside = await details.boundingBox()
  if (!message || !beside) throw new Error('The lead is not on the page.')
  expect(message.x + message.width).toBeLessThan(beside.x)
  expect(1440 - beside.x - beside.width).toBeLessThan(100)
})

test('while the page is in the background, nothing counts as read', async ({ page, site }) => {
  await reply(site, '1', 'Are you there?')
  const { read_up_to } = await site.lead('Dana')
  await page.addInitScript(setVisibility, 'hidden')
  await page.goto(await site.path('Dana'))
  await expect(said(page, 'Are you there?')).toBeVisible()
  await page.waitForTimeout(300)
  expect((await site.lead('Dana')).read_up_to).toBe(read_up_to)
  await page.evaluate(setVisibility, 'visible')
  await expect.poll(async () => (await site.lead('Dana')).read_up_to).toBeGreaterThan(read_up_to)
})

test('an email address breaks only after its @ and dots', async ({ page, site }) => {
  const email = 'charlotte.montgomery-whitfield@roofing-and-gutters.central-ohio.example'
  await site.arrive('Charlotte', 'Long', { email })
  await site.sendEmails()
  await openLead(page, site, 'Charlotte')
  await page.getByRole('button', { name: 'Details' }).click()
  await page.getByText('Receipt accepted').click()
  // The last character of each line of an address that is followed by another one.
  const ends = await page.locator('main article').evaluate((article, address) => {
    const places = [...article.querySelectorAll('*')].filter(({ textContent }) => textContent === address)
    return places.flatMap((place) => {
      const texts = document.createTreeWalker(place, NodeFilter.SHOW_TEXT)
      const characters: { character: string; top: number }[] = []
      while (texts.nextNode())
        for (let at = 0; at < (texts.currentNode as Text).length; at++) {
          const range = document.createRange()
          range.setStart(texts.currentNode, at)
          range.setEnd(texts.currentNode, at + 1)
          characters.push({ character: String(range), top: range.getBoundingClientRect().top })
        }
      return characters
        .filter(({ top }, at) => (characters[at + 1]?.top ?? top) > top + 5)
        .map(({ character }) => character)
    })
  }, email)

  expect(new Set(ends)).toEqual(new Set(['@', '.']))
})

test('fonts move nothing: a visit keeps them for the next one, which shows them only if they come at once', async ({
  page,
  site,
}) => {
  const kept = 'fonts-loaded'
  const webFonts = page.locator('html[data-web-fonts]')
  for (const path of ['/inbox', '/inbox/figures', await site.path('Dana')])
    for (const width of [360, 768, 1440]) {
      await page.setViewportSize({ width, height: 780 })
      await open(page, path)
      await page.waitForFunction((kept) => localStorage.getItem(kept), kept)
      await expect(webFonts).toHaveCount(0)
      expect(await sumShifts(page), `first visit of ${path} at ${width} px`).toBe(0)
      await open(page, path)
      expect(await sumShifts(page), `second visit of ${path} at ${width} px`).toBe(0)
      await page.evaluate((kept) => localStorage.removeItem(kept), kept)
    }
  await page.evaluate((kept) => localStorage.setItem(kept, 'yes'), kept)
  await expect(async () => {
    await page.reload()
    await expect(webFonts).toBeAttached()
  }).toPass()
  await page.route('**/*.woff2', (route) => setTimeout(() => route.continue(), 500))
  const fonts = page.waitForEvent('requestfinished', (request) => request.url().endsWith('.woff2'))
  await page.reload()
  await fonts
  await expect(webFonts).toHaveCount(0)
  expect(await sumShifts(page)).toBe(0)
})

test('all of a conversation is printed, also on wide paper', async ({ page, site }) => {
  await page.setViewportSize({ width: 1024, height: 600 })
  await openLead(page, site, 'Dana')

  await page.emulateMedia({ media: 'print' })
  await expect(page.getByRole('searchbox')).toBeHidden()
  const { height = 0 } = (await page.locator('main article').boundingBox()) ?? {}
  expect(height).toBeGreaterThan(600)
  expect(await page.evaluate(() => document.documentElement.scrollHeight)).toBeGreaterThan(height)
})
