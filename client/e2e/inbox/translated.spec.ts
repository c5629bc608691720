import type { Page } from '@playwright/test'
import { markResult } from '../../../server/leads/change/mark-lead.ts'
import { readMessage } from '../../../server/mailbox/read-message.ts'
import { createTakeIn } from '../../../server/mailbox/take-in.ts'
import { writtenIn } from '../../../server/mailbox/words.ts'
import { answerBox, ben, choose, expect, passTimeUntil, press, row, test, waitForInbox } from './test.ts'

const HOUR_MS = 60 * 60_000

/** Replaces each text by a `<font>`, also those that come later, as Google Translate does. */
const translate = () => {
  const replaced: { text: Text; shown: Element }[] = []
  const replaceTexts = (node: Node) => {
    const walker = document.createTreeWalker(node, NodeFilter.SHOW_TEXT)
    const texts = node instanceof Text ? [node] : []
    while (walker.nextNode()) texts.push(walker.currentNode as Text)
    for (const text of texts) {
      if (!text.data.trim() || text.parentElement?.closest('font, script, style, textarea, title')) continue
      const [outer, shown] = [document.createElement('font'), document.createElement('font')]
      shown.append(text.data)
      outer.append(shown)
      text.replaceWith(outer)
      replaced.push({ text, shown })
    }
  }
  const observer = new MutationObserver((records) => {
    for (const { target, type, addedNodes } of records)
      for (const node of type === 'characterData' ? [target] : addedNodes)
        if (node.isConnected) replaceTexts(node)
  })
  addEventListener('DOMContentLoaded', () => {
    replaceTexts(document.body)
    observer.observe(document.body, { childList: true, subtree: true, characterData: true })
  })
  const outdated = () =>
    replaced
      .filter(({ text, shown }) => shown.isConnected && shown.textContent !== text.data)
      .map(({ text, shown }) => `${shown.textContent}, not ${text.data}`)
  Object.assign(window, { outdated })
}

/** The texts that the page would show without a translator, and doesn't. */
const outdated = (page: Page): Promise<string[]> => page.evaluate('outdated()')

test.beforeEach(({ page }) => page.addInitScript(translate))

/** Does the steps, after each of which all that the page says must be true. */
async function walk(page: Page, steps: (() => unknown)[]) {
  await waitForInbox(page)
  for (const step of steps) {
    await step()
    await expect.poll(() => outdated(page), String(step)).toEqual([])
  }
  await expect(page.getByText('This page could not be shown')).toHaveCount(0)
}

test('the list stays true while a translator replaces its texts', async ({ page, context, site }) => {
  const search = (text: string) => page.getByLabel('Search all requests').fill(text)
  const select = (name: string) => page.getByLabel(`Select ${name}`).click()
  const more = page.getByRole('navigation', { name: 'Views' }).getByRole('button')
  await page.goto('/inbox')
  await walk(page, [
    () => site.advance(HOUR_MS, context),
    () => expect(row(page, 'Marcus')).toContainText(/[23] h over/),
    () => site.arrive('Nora', 'New'),
    () => expect(page.getByRole('button', { name: '1 new' })).toBeVisible(),
    () => site.arrive('Nils', 'New'),
    () => expect(page.getByRole('button', { name: '2 new' })).toBeVisible(),
    () => search('mouth'),
    () => expect(row(page, 'Dana').locator('mark')).toHaveText('mouth'),
    () => search('storm'),
    () => expect(row(page, 'Dana').locator('mark')).toHaveText('storm'),
    () => search(''),
    () => expect(row(page, 'Dana').locator('mark')).toHaveCount(0),
    () => select('Dana Whitfield'),
    () => expect(page.getByText('1 selected')).toBeVisible(),
    () => select('Marcus Oyelaran'),
    () => expect(page.getByText('2 selected')).toBeVisible(),
    () => more.click(),
    () => page.getByRole('link', { name: /^Won/ }).click(),
    () => expect(more).toHaveText('Won'),
  ])
})

test('a request and its answer stay true while a translator replaces their texts', async ({
  page,
  context,
  site,
}) => {
  const message = await readMessage(
    Buffer.from('From: dana@example.com\r\nMessage-ID: <1@x.example>\r\n\r\nHere is the plan.\r\n'),
  )
  const at = site.now().toISOString()
  const sent = { ...message, attachments: ['plan.pdf (2 kB)'], receivedAt: at }
  await site.run((deps) => createTakeIn({ ...deps, readWords: writtenIn })(sent, 'inbox'))
  const { reference } = await site.lead('Dana')
  const plan = page.getByRole('button', { name: 'plan.pdf' })
  const refused = { status: 503, json: { detail: 'The mailbox cannot be reached right now.' } }
  const fetched = { body: 'plan', headers: { 'Content-Disposition': 'attachment' } }
  const file = { name: 'quote.pdf', mimeType: 'application/pdf', buffer: Buffer.alloc(2_000) }
  const to = page.getByLabel('To', { exact: true })
  const delivery = page.getByText(/accepted by the mail server/i).first()
  await page.goto(`/inbox/${reference}`)
  await walk(page, [
    () => site.advance(HOUR_MS, context),
    () => page.route('**/files/*', (route) => route.fulfill(refused), { times: 1 }),
    () => plan.click(),
    () => expect(page.getByText('Try again: ')).toBeVisible(),
    () => page.route('**/files/*', (route) => route.fulfill(fetched), { times: 1 }),
    () => Promise.all([page.waitForEvent('download'), plan.click()]),
    () => expect(page.getByText('Try again: ')).toHaveCount(0),
    () => press(page, 'Reply'),
    () => answerBox(page).fill('Yes, see the quote.'),
    () => to.fill('dana@gmial.com'),
    () => to.fill('dana@hotmial.com'),
    () => to.fill('dana@example.com'),
    () => context.setOffline(true),
    () => page.locator('input[type=file]').setInputFiles(file),
    () => passTimeUntil(page, page.getByText('Trying again…')),
    () => context.setOffline(false),
    () => passTimeUntil(page, page.getByText('1 file attached.')),
    () => page.locator('dialog [type=submit]').click(),
    () => expect(page.getByText(/^Sending your answer/)).toBeVisible(),
    () => page.goto(`/inbox/${reference}`),
    () => waitForInbox(page),
    () => site.advance(20_000, context),
    () => site.sendEmails(),
    () => expect(delivery).toBeAttached({ timeout: 20_000 }),
    () => site.by(ben, 'Dana', markResult, { result: 'won' }),
    () => choose(page, 'Not won after all'),
  ])
})
