import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { brand } from '#facts/brand.ts'
import { officeZone } from '#shared/office-time.ts'
import { officeTimeInWords } from '#shared/office-time-in-words.ts'
import { nextOpening, quoteDueAt, replyDueAt } from '#shared/promise-clock.ts'
import { buildTestApp, testOnce } from '../../proof/testing/build-test-app.ts'
import { anna, atOffice } from '../../proof/testing/leads.ts'
import { mailboxTools } from '../../proof/testing/mailbox.ts'
import { deliverToFiles, outboxTools, writeEmailOf } from '../../proof/testing/outbox.ts'
import { sampleLead } from '../../proof/testing/sample-notice.ts'
import { sampleRequest } from '../../proof/testing/sample-request.ts'
import { markLead } from '../change/mark-lead.ts'
import { ownerNotice } from './owner-notice.ts'
import { receiptSubject, visitorReceipt } from './visitor-receipt.ts'

const DAY_MS = 24 * 60 * 60 * 1000
const sender = { mailFrom: { address: 'site@agency.example' }, siteUrl: 'https://agency.example' }
const job = { recipient: 'ada@example.com', messageId: '<x@agency.example>' }

testOnce.each([
  [false, brand.email],
  [true, undefined],
])(
  'a reply to the receipt goes where it is read: with a mailbox (%j), to the sender',
  (hasMailbox, expected) => {
    const receipt = visitorReceipt(sampleLead(), job, { ...sender, hasMailbox })
    expect(receipt.replyTo).toBe(expected)
    // A reply repeats it, also if a mail service has changed the Message-ID.
    expect(receipt.headers).toEqual({ References: job.messageId })
  },
)

testOnce.each([
  ['during the day', atOffice('2026-03-02T10:00'), 2],
  ['in the evening', atOffice('2026-03-02T20:00'), 3],
  ['on a Saturday', atOffice('2026-03-07T12:00'), 3],
])(
  'for a request that arrives %s, the receipt promises the calculated times, and the notice promises the same reply time',
  (_when, received, count) => {
    const lead = sampleLead({ createdAt: received, dueAt: replyDueAt(received) })

    const receipt = visitorReceipt(lead, job, sender)
    const notice = ownerNotice(lead, job, { ...sender, hasInbox: true })

    const times = [nextOpening(received), replyDueAt(received), quoteDueAt(received)].slice(-count)
    const steps = receipt.text.split('\n').filter((line) => line.startsWith('- '))
    expect(steps).toEqual(times.map((time) => expect.stringContaining(officeTimeInWords(time))))
    expect(notice.text).toContain(`\nBy ${officeTimeInWords(lead.dueAt)}\n`)
    // On a Saturday, the clocks may change before the office opens.
    expect(receipt.text.split(brand.phone)[1]).toContain(` ${officeZone(nextOpening(received))}.`)
  },
)

testOnce.each([
  ['a minute before', 60_000, 2],
  ['no longer at', 0, 1],
])('a receipt is sent %s the reply time that it promises', async (_when, msBefore, emails) => {
  await using site = await buildTestApp({ sendsReceipts: true })
  await submit(site, {})

  site.clock.now = new Date(replyDueAt(site.clock.now).getTime() - msBefore)
  await deliverToFiles(site)

  expect(readdirSync(join(site.dataDir, 'mail'))).toHaveLength(emails)
})

const greetingOf = (firstName: string) =>
  visitorReceipt(sampleLead({ firstName }), job, sender).text.match(/^Hello.*$/m)?.[0]

testOnce.each([
  ...['Account Suspended Login', 'Account-Suspended', 'Password.Expired', 'Click Here', 'Anna Maria'],
  ...['您的账户已停用', 'お支払いください', 'Kontosperrungsbenachrichtigung', 'Win\u00a0now', '<b>Ada'],
  ...['spam.example', 'https://x.example', 'Ada@home', 'evil・com', `A${'\u0301'.repeat(8)}da`, '\u0301.com'],
])('a receipt does not greet "%s", which could read like a notice or an address', (name) => {
  expect(greetingOf(name)).toBe('Hello,')
})

testOnce.each([
  ...['Ada', "D'Arcy", 'José', 'Nguyễn', 'Łukasz', 'Kaʻiulani', 'Дмитрий', 'Ελένη', 'יעל', 'محمد'],
  ...['می\u200cنا', 'प्रिया', 'สมชาย', '지우', '美咲', '田中さくら', 'マリー'],
])('a receipt greets %s', (name) => {
  expect(greetingOf(name)).toBe(`Hello ${name},`)
})

testOnce('a receipt contains no text from the visitor except a clean first name', () => {
  const own = {
    email: 'ada@elsewhere.example',
    lastName: 'Lovecraft',
    company: 'Company X',
    website: 'https://x.example',
    message: 'Buy this now',
    phone: '+44 20 7946 0123',
  }

  const all = JSON.stringify(visitorReceipt(sampleLead(own), job, sender))

  for (const word of Object.values(own)) expect(all.replaceAll(brand.phone, '')).not.toContain(word)
  expect(all).toContain('Hello Ada,')
  expect(all).toContain(sampleLead().reference)
  expect(all).toContain('"isAutomatic":true')
})

test('an address (ignoring case) gets one receipt a day, and suspected spam gets none', async () => {
  await using site = await buildTestApp({ sendsReceipts: true })

  await submit(site, { message: '1' })
  await submit(site, { message: '2', email: 'ADA@Example.com' })
  await submit(site, { message: '3', email: 'grace@example.com' })
  expect(await receipts(site)).toEqual(['ada@example.com', 'grace@example.com'])

  site.advanceClock(DAY_MS)
  await submit(site, { message: '4', email: 'ADA@Example.com' })
  const spam =
    'We offer SEO services, first page ranking guaranteed, buy backlinks at https://a.example and https://b.example'
  await submit(site, { message: spam, email: 'spam@example.com' }, { isHoneypotFilled: true, formAgeMs: 500 })
  const sent = ['ada@example.com', 'grace@example.com', 'ADA@Example.com']
  expect(await receipts(site)).toEqual(sent)

  // The clock is set back, to a minute before the first receipt.
  site.advanceClock(-DAY_MS - 60_000)
  await submit(site, { message: '5', email: 'ada@example.com' })
  expect(await receipts(site)).toEqual([...sent, 'ada@example.com'])
})

test.each(['answered', 'spam'] as const)(
  'a receipt that has waited until its lead was %s is not sent',
  async (state) => {
    await using site = await buildTestApp({ sendsReceipts: true })
    const { reference } = await site.submit()
    await markLead(site.inboxDeps, { reference, version: 0, who: anna, state })
    const sent = await mailboxTools(site).deliver()

    expect(sent.map(({ subject }) => subject)).not.toContain(receiptSubject(reference))
    expect(sent.length).toBeGreaterThan(0)
    // Its Message-ID is still known: an attempt may have arrived.
    const receipts = site.db.selectFrom('outbox').select('state').where('kind', '=', 'visitor_receipt')
    expect(await receipts.execute()).toEqual([{ state: 'failed' }])
  },
)

test('a receipt that has waited until VISITOR_RECEIPT was turned off is not sent', async () => {
  await using site = await buildTestApp({ sendsReceipts: true })
  await site.submit()
  const write = writeEmailOf(site, { sendsReceipts: false })
  const sent: string[] = []
  await outboxTools(site).deliver(async (email) => {
    const written = await write(email)
    return typeof written === 'string' ? { unsent: written } : `250 ${sent.push(email.kind)}`
  })

  expect(sent).toEqual(['owner_notice'])
})

test('one network causes at most three receipts a day, a domain gets at most ten, and all together a tenth of the emails', async () => {
  await using site = await buildTestApp({ sendsReceipts: true, emailsADay: 200 })
  const flood = async (name: string, count: number, to: (index: number) => string, client?: string) => {
    for (let index = 0; index < count; index++)
      await site.submitLead(sampleRequest({ message: `${name} ${index}`, email: to(index) }), {
        client: client ?? `${name} ${index}`,
      })
  }

  await flood('a', 5, (index) => `a@host${index}one.example`, 'one network')
  expect(await receipts(site)).toHaveLength(3)
  await flood('b', 15, (index) => `b${index}@one.example`)
  expect(await receipts(site)).toHaveLength(13)
  await flood('c', 20, (index) => `c@c${index}.example`)
  expect(await receipts(site)).toHaveLength(20)
})

type Site = Awaited<ReturnType<typeof buildTestApp>>
const submit = (site: Site, changes: object, clues = { isHoneypotFilled: false, formAgeMs: 60_000 }) =>
  site.submitLead(sampleRequest(changes), { clues })
const receipts = async (site: Site) => {
  const rows = await site.db
    .selectFrom('outbox')
    .select('recipient')
    .where('kind', '=', 'visitor_receipt')
    .orderBy('id')
    .execute()
  return rows.map(({ recipient }) => recipient)
}
