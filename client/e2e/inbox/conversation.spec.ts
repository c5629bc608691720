import { writeNote } from '../../../server/database/notes.ts'
import { markLead } from '../../../server/leads/change/mark-lead.ts'
import {
  anna,
  answerBox,
  ben,
  expect,
  open,
  openReply,
  press,
  receive,
  row,
  stayOnLead,
  test,
} from './test.ts'

const MINUTE_MS = 60_000
const phone = { width: 390, height: 780 }

test('a visitor and an owner go on in their email programs', async ({ page, context, site }) => {
  await stayOnLead(context)
  await page.setViewportSize(phone)
  await site.arrive('Nora', 'New', { message: 'האם אתם בונים אתרים?' })
  await open(page, '/inbox')
  await row(page, 'Nora New').click()
  const message = page.locator('main article').getByText('אתרים')
  await expect(message).toHaveCSS('direction', 'rtl')
  await expect(message).toHaveCSS('unicode-bidi', 'plaintext')
  await press(page, 'Reply')
  await answerBox(page).fill('Yes, often.')
  await press(page, 'Send')
  await expect.poll(() => site.lead('Nora')).toMatchObject({ state: 'answered' })
  await site.advance(MINUTE_MS, context)
  await site.sendEmails()
  const answers = async () =>
    (await site.mail.to('nora@example.com')).filter(({ text }) => /often/.test(text ?? ''))
  await expect.poll(answers).toHaveLength(1)
  const [answer] = await answers()
  await expect(page.locator('main article')).toContainText('Answered')

  // The visitor presses Reply in an email program.
  const quote = `On Mon, Mar 2, 2026 at 10:01 AM Anna <site@agency.example> wrote:\n\n> ${answer?.text?.trim().replaceAll('\n', '\n> ')}\n`
  const again = { 'Message-ID': '<again@example.com>', References: String(answer?.messageId) }
  await receive(site, { From: 'Nora <nora@example.com>', ...again }, `Great! When can you start?\n\n${quote}`)
  const reply = page.getByRole('listitem').filter({ hasText: 'When can you start?' })
  await expect(reply.getByRole('heading', { name: 'Nora New wrote again' })).toBeVisible()
  await expect(reply.getByRole('group').getByText('Quoted text')).toBeVisible()
  await expect(page.locator('main article')).not.toContainText('Answered')
  expect(await site.lead('Nora')).toMatchObject({ state: 'open' })
  await site.sendEmails()
  await expect
    .poll(async () => (await site.mail.to(anna)).at(-1)?.text)
    .toMatch(/When can you start\?.*I answered this/s)

  // The owner answers from an email program.
  const ours = '<from-a-program@agency.example>'
  const inReply = { 'Message-ID': ours, 'In-Reply-To': again['Message-ID'] }
  await receive(site, { From: anna, To: 'nora@example.com', ...inReply }, 'On Monday.', 'sent')
  await expect(page.getByText('You answered by email')).toBeVisible()
  expect(await site.lead('Nora')).toMatchObject({ state: 'answered' })

  // Ten minutes later, it comes back.
  await site.advance(10 * MINUTE_MS, context)
  await receive(
    site,
    {
      From: 'MAILER-DAEMON@mx.example.com',
      'Message-ID': '<bounce@mx.example.com>',
      'Content-Type': 'multipart/report; report-type=delivery-status; boundary=b',
    },
    `--b\n\nNot delivered.\n--b\nContent-Type: message/delivery-status\n\nReporting-MTA: dns; mx.example.com\n\nFinal-Recipient: rfc822; nora@example.com\nAction: failed\nStatus: 5.1.1\nDiagnostic-Code: smtp; 550 5.1.1 No such user\n--b\nContent-Type: message/rfc822\n\nMessage-ID: ${ours}\n\nYes\n--b--`,
  )
  await expect(page.getByText(/could not deliver the answer/)).toBeVisible()
  await site.by(ben, 'Luis', markLead, { state: 'lost' })
  await open(page, '/inbox')
  const reason = /Nora New.*Your answer did not arrive.*status 5\.1\.1/
  await expect(page.locator('[data-row]').first()).toHaveText(reason)
})

test('the last of fifty replies fits any screen; a placeholder is never sent', async ({ page, site }) => {
  const replies = Array.from({ length: 50 }, (_, index) => ({
    name: `Reply ${index + 1}`,
    text: 'Hello {first name}',
  }))
  await writeNote(site.db, 'saved_replies', { replies })
  await openReply(page, site)
  for (const size of [phone, { width: 768, height: 1024 }, { width: 1440, height: 900 }]) {
    await page.setViewportSize(size)
    await answerBox(page).fill('')
    await press(page, 'Reply 50')
    await expect(answerBox(page)).toHaveValue('Hello Dana')
  }
  await answerBox(page).fill('')
  await page.keyboard.type('/home')
  await expect(answerBox(page)).toHaveValue('/home')
  await answerBox(page).fill('Yes.\n')
  for (const key of ['/', 'Tab', 'Enter']) await page.keyboard.press(key)
  await expect(answerBox(page)).toHaveValue('Yes.\nHello Dana')
  await answerBox(page).fill('It costs {amount}.')
  await expect(page.getByRole('alert')).toHaveText('Please replace {amount}.')
  await expect(page.getByRole('button', { name: 'Send' })).toBeDisabled()
})
