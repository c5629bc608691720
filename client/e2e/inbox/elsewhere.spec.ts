import { addEvent, noteLead } from '../../../server/leads/change/change-lead.ts'
import {
  answerBox,
  ben,
  choose,
  confirmErasing,
  expect,
  openLead,
  openReply,
  press,
  receive,
  type Site,
  stayOnLead,
  test,
} from './test.ts'

const elsewhere = 'dana.whitfield@work.example'

/** Dana, who got a receipt, has forwarded it to her address at work, from which she replies. */
async function replyFromElsewhere(site: Site, text: string, from = elsewhere) {
  const { id } = await site.lead('Dana')
  const receipts = site.db.selectFrom('outbox').select('message_id').where('kind', '=', 'visitor_receipt')
  const { message_id } = await receipts.where('lead_id', '=', id).executeTakeFirstOrThrow()
  const ids = { 'Message-ID': '<1@work.example>', 'In-Reply-To': message_id }
  await receive(site, { From: from, ...ids }, text)
}

test.beforeEach(({ context }) => stayOnLead(context))

test('a message from another address says so, and the answer goes where the owner chooses', async ({
  page,
  site,
}) => {
  await replyFromElsewhere(site, 'Is blue possible?')
  await openLead(page, site, 'Dana')
  const says = `From ${elsewhere}, not the address of the request`
  await expect(page.getByRole('listitem').filter({ hasText: says })).toContainText('Is blue possible?')
  await expect(page.getByRole('listitem').filter({ hasText: /Lost$/ }).getByRole('link')).toBeVisible()

  await press(page, 'Reply')
  await answerBox(page).fill('Blue is possible.')
  await press(page, 'Send')
  await expect(page.locator('[type=radio]:invalid')).toHaveCount(2)
  expect(await site.answers('Dana')).toEqual([])
  await page.getByRole('radio', { name: elsewhere }).check()
  await press(page, 'Send')

  await expect(page.getByText(`You answered ${elsewhere}`)).toBeVisible()
  const { id, email } = await site.lead('Dana')
  const answers = site.db.selectFrom('outbox').select('recipient').where('kind', '=', 'answer')
  expect(await answers.where('lead_id', '=', id).execute()).toEqual([{ recipient: elsewhere }])
  expect(email).toBe('dana@example.com')
  await press(page, 'Reply')
  await expect(page.getByRole('radio', { name: elsewhere })).toBeChecked()
  const to = page.getByLabel('To', { exact: true })
  await expect(to).toHaveValue(elsewhere)
  const becomes = page.getByText('From now on, this is the address of the request.')
  await to.fill('dana@home.example')
  await expect(becomes).toBeVisible()
  for (const known of [email, elsewhere]) {
    await to.fill(known)
    await expect(becomes).toHaveCount(0)
  }

  await to.fill('dana@home.example')
  await press(page, 'Close')
  await press(page, 'Reply')
  await expect(to).toHaveValue('dana@home.example')
  await page.reload()
  await press(page, 'Reply')
  await expect(to).toHaveValue('dana@home.example')
  await answerBox(page).fill('Green is possible, too.')
  await press(page, 'Send')
  await expect(page.getByText(`You corrected the address from ${email} to dana@home.example`)).toBeVisible()
  expect(await page.evaluate(() => sessionStorage.getItem('inbox-typed'))).toBeNull()
})

test('an address from which somebody has written is never corrected into that of the request', async ({
  page,
  site,
}) => {
  await replyFromElsewhere(site, 'Is blue possible?', 'carl@gmial.com')
  await openLead(page, site, 'Dana')
  await press(page, 'Reply')
  await page.getByRole('radio', { name: 'carl@gmial.com' }).check()

  await expect(page.getByLabel('To', { exact: true })).toHaveValue('carl@gmial.com')
  await expect(page.getByRole('button', { name: /^Use / })).toHaveCount(0)
})

test('somebody who has only replied can be shown and erased, and the request stays', async ({
  page,
  site,
}) => {
  await replyFromElsewhere(site, 'Is blue possible?')
  // The menu is taller than this phone.
  await page.setViewportSize({ width: 360, height: 360 })
  await openLead(page, site, 'Dana')
  await choose(page, 'I answered elsewhere…')
  await press(page, 'Close')
  const shown = page.waitForEvent('popup')
  await choose(page, `Everything about ${elsewhere}`)
  await expect((await shown).getByText('Is blue possible?')).toBeVisible()
  await expect((await shown).getByText('storm season')).toHaveCount(0)
  await (await shown).close()

  await choose(page, `Erase ${elsewhere}…`)
  await confirmErasing(page, elsewhere)

  await expect(page.getByText(`${elsewhere} has been erased.`)).toBeVisible()
  await expect(page.locator('main article')).not.toContainText('Is blue possible?')
  await expect(page.locator('main article')).toContainText('storm season')

  // Some browsers refuse to open another tab.
  await page.evaluate(() => Object.assign(window, { open: () => null }))
  await choose(page, 'Everything about this person')
  await expect(page).toHaveURL(/\/person\?/)
})

test('a long history loads in parts, which a live update keeps', async ({ page, site }) => {
  const { id } = await site.lead('Dana')
  const note = { lead_id: id, at: site.now().toISOString(), who: ben, what: 'note' } as const
  const received = JSON.stringify({ messageId: '<1@example.com>', quotes: [], attachments: ['plan.pdf'] })
  await addEvent(site.db, { ...note, who: 'dana@example.com', what: 'reply', text: 'See here.', received })
  for (let count = 1; count <= 120; count++) await addEvent(site.db, { ...note, text: `Note ${count}.` })
  await openLead(page, site, 'Dana')
  const notes = page.getByRole('listitem').filter({ hasText: 'Ben wrote a note' })
  await expect(notes).toHaveCount(50)

  const showEarlier = page.getByRole('button', { name: 'Show earlier' })
  for (const [first, count] of [
    ['Note 71.', 100],
    ['Note 21.', 120],
  ] as const) {
    // An owner who does something isn't kept at the end. Unlike a turn of the wheel, a key is
    // handled at once.
    await page.keyboard.press('Shift')
    await showEarlier.scrollIntoViewIfNeeded()
    const before = await page.getByText(first, { exact: true }).boundingBox()
    await showEarlier.click()
    await expect(notes).toHaveCount(count)
    // What is added above moves nothing, except that pages scroll by whole pixels.
    const after = await page.getByText(first, { exact: true }).boundingBox()
    expect(Math.abs(Number(after?.y) - Number(before?.y))).toBeLessThan(1)
  }
  await expect(showEarlier).toHaveCount(0)
  await site.by(ben, 'Dana', noteLead, { text: 'The newest.' })
  await expect(notes).toHaveCount(121)
  await expect(notes.last()).toContainText('The newest.')
  await expect(page.getByRole('button', { name: 'plan.pdf' })).toBeVisible()
  await expect(page.getByText('Dana Whitfield asked for a quote')).toBeVisible()

  await openReply(page, site)
  const since = page.getByRole('list', { name: 'Since the last answer' })
  const inSheet = since.getByRole('button', { name: 'Show earlier' })
  await expect(since).toContainText('Note 120.')
  await expect(since).not.toContainText('See here.')
  for (const words of ['Note 30.', 'See here.']) {
    await inSheet.click()
    await expect(since).toContainText(words)
  }
  await expect(since).toContainText('storm season')
  await expect(inSheet).toHaveCount(0)
})
