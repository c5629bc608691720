import { assert, constant, constantFrom, date, integer, property, record, subarray } from 'fast-check'
import { expect, test } from 'vitest'
import { weekDays } from '#shared/office-hours.ts'
import { createPromiseClock, replyDueAt } from '#shared/promise-clock.ts'
import { buildTestApp } from '../proof/testing/build-test-app.ts'
import { sampleRequest } from '../proof/testing/sample-request.ts'
import { createAcceptedRequests } from './accepted-requests.ts'
import { cleanName } from './clean-name.ts'
import { createLeadStore } from './lead-store.ts'
import { ownerNotice } from './owner-notice.ts'
import { isOutdated, nextSteps, visitorReceipt } from './visitor-receipt.ts'

/** Extracts the time from "... Monday, March 2 at 2:00 PM EST ..." for `Date.parse`. */
const timeIn = (step: string) => {
  const [, day, clock] = /day, (\w+ \d+) at (\d+:\d\d [AP]M)/.exec(step) ?? []
  return `${day}, 2026 ${clock}`
}
const promised = (received: string) => ({
  createdAt: new Date(received),
  dueAt: replyDueAt(new Date(received)),
})
const DAY_MS = 24 * 60 * 60 * 1000
const sender = { mailFrom: { address: 'site@agency.example' }, siteUrl: 'https://agency.example' }
const job = { recipient: 'ada@example.com', messageId: '<x@agency.example>' }

test.each([
  ['during the day', '2026-03-02T15:00Z', ['Monday, March 2 at 2:00', 'Tuesday, March 3 at 10:00']],
  [
    'in the evening',
    '2026-03-03T00:00Z',
    ['Tuesday, March 3 at 8:00', 'Tuesday, March 3 at 12:00', 'Tuesday, March 3 at 6:00'],
  ],
  [
    'on Friday evening',
    '2026-03-07T00:00Z',
    ['Monday, March 9 at 8:00', 'Monday, March 9 at 12:00', 'Monday, March 9 at 6:00'],
  ],
])('%s, a receipt lists the next steps with their times', (_what, received, times) => {
  const steps = nextSteps(promised(received))

  expect(steps.length).toBe(times.length)
  for (const [index, time] of times.entries()) expect(steps[index]?.text).toContain(time)
})

const closed = (opens: string) => `Our office is closed right now and opens again on ${opens}.`
const reply = (by: string) => `By ${by}: a first reply by email.`
const quote = (by: string) => `By ${by}: your free quote.`

test.each<[string, string, string[]]>([
  [
    'a Friday at 5:50pm',
    '2026-03-06T17:50-05:00',
    [reply('Monday, March 9 at 11:50 AM EDT'), quote('Monday, March 9 at 5:50 PM EDT')],
  ],
  [
    'a Saturday',
    '2026-03-14T12:00-04:00',
    [
      closed('Monday, March 16 at 8:00 AM EDT'),
      reply('Monday, March 16 at 12:00 PM EDT'),
      quote('Monday, March 16 at 6:00 PM EDT'),
    ],
  ],
  [
    'the afternoon of December 24',
    '2026-12-24T15:00-05:00',
    [reply('Monday, December 28 at 9:00 AM EST'), quote('Monday, December 28 at 3:00 PM EST')],
  ],
  [
    'the evening of December 24',
    '2026-12-24T19:00-05:00',
    [
      closed('Monday, December 28 at 8:00 AM EST'),
      reply('Monday, December 28 at 12:00 PM EST'),
      quote('Monday, December 28 at 6:00 PM EST'),
    ],
  ],
  [
    'the night when clocks go forward',
    '2026-03-08T01:59-05:00',
    [
      closed('Monday, March 9 at 8:00 AM EDT'),
      reply('Monday, March 9 at 12:00 PM EDT'),
      quote('Monday, March 9 at 6:00 PM EDT'),
    ],
  ],
  ...['2026-11-01T01:30-04:00', '2026-11-01T01:30-05:00'].map((received): [string, string, string[]] => [
    'the hour that clocks show twice',
    received,
    [
      closed('Monday, November 2 at 8:00 AM EST'),
      reply('Monday, November 2 at 12:00 PM EST'),
      quote('Monday, November 2 at 6:00 PM EST'),
    ],
  ]),
])(
  'the receipt for %s promises exact times, and the notice promises the same',
  async (_when, received, steps) => {
    const lead = { ...(await sampleLead()), ...promised(received) }

    const receipt = visitorReceipt(lead, job, sender)
    const notice = ownerNotice(lead, job, { ...sender, hasInbox: true })

    expect(receipt.text.split('\n').filter((line) => line.startsWith('- '))).toEqual(
      steps.map((step) => `- ${step}`),
    )
    const [, by] = /By (.*): a first/.exec(receipt.text) ?? []
    expect(notice.text).toContain(`Reply promised by ${by}\n`)
  },
)

test.each([
  ['during the day', '2026-03-02T15:00Z', '2026-03-02T19:00Z'],
  ['in the evening', '2026-03-03T00:00Z', '2026-03-03T13:00Z'],
  ['on Friday evening', '2026-03-07T00:00Z', '2026-03-09T12:00Z'],
])(
  'for a request that arrives %s, a receipt is outdated once its first promised time has come',
  (_what, received, first) => {
    const lead = promised(received)

    expect(isOutdated(lead, lead.createdAt)).toBe(false)
    expect(isOutdated(lead, new Date(Date.parse(first) - 1))).toBe(false)
    expect(isOutdated(lead, new Date(first))).toBe(true)
  },
)

const anyOffice = record({
  days: subarray([...weekDays], { minLength: 1 }),
  opens: constantFrom('00:00' as const, '08:00' as const),
  closes: constantFrom('12:30' as const, '18:00' as const),
  timeZone: constant('America/New_York'),
})
const anyTime = date({ min: new Date('2026-01-02'), max: new Date('2026-05-01'), noInvalidDate: true })

test('for any response times, the next steps in a receipt are in order, and none is in the past', () => {
  const amount = integer({ min: 1, max: 20 })
  assert(
    property(
      amount,
      amount,
      anyOffice,
      anyTime,
      (emailReplyOfficeHours, quoteWorkdays, hours, receivedAt) => {
        const responseTimes = { emailReplyOfficeHours, quoteWorkdays }
        const clock = createPromiseClock({ hours, closedOn: ['2026-03-03'], responseTimes })
        const lead = { createdAt: receivedAt, dueAt: clock.replyDueAt(receivedAt) }
        const steps = nextSteps(lead, clock)
        const times = [receivedAt, ...steps.map(({ at }) => at)].map(Number)
        const inWords = steps.map(({ text }) => Date.parse(timeIn(text)))

        expect(times).toEqual(times.toSorted((a, b) => a - b))
        expect(inWords).toEqual(inWords.toSorted((a, b) => a - b))
      },
    ),
  )
})

test.each([
  ...[
    'Ada',
    'Jean-Luc',
    "D'Arcy",
    'Anna Maria',
    'José',
    '美咲',
    'J. R.',
    'さくら',
    '田中さくら',
    'マリー',
    'Kaʻiulani',
  ],
  ...[
    'Дмитрий',
    'Ελένη',
    'יעל',
    'محمد',
    'می\u200cنا',
    'प्रिया',
    'สมชาย',
    '지우',
    'Nguyễn',
    'Łukasz',
    'Ünal',
    'தமிழ்',
  ],
])('%s is a name', (name) => {
  expect(cleanName(name)).toBe(name)
})

test.each([
  'spam.example',
  'Win $500 now',
  'https://x.example',
  'Click here to win',
  'a'.repeat(31),
  '<b>Ada',
  'Ada@home',
  '',
  // Lookalikes of dots, colons and slashes that count as letters.
  'evilꓸcom',
  'httpsːevil',
  'wwwǃevil',
  'aǀb',
  'evil・com',
  // Mixed scripts and invisible letters.
  'Аdа',
  'Pаypal Αdmin',
  'Ada\u3164',
  'Ada\u115f\u1160',
  'Ada\u034f',
  'A\u200cda',
  'Ada\u00ad',
  '𝐀𝐝𝐚',
  `A${'\u0301'.repeat(8)}da`,
  // Marks and joiners next to the dot.
  'evil\u0301.com',
  'evil.\u0301com',
  'evil\u0301\u0302.\u0301\u0302com',
  'म\u0902.\u0902म',
  'ب\u0651.\u0651ب',
  'ب.\u200cب',
  'ب\u200d.ب',
  'क\u094d\u200d.\u200dक',
])('%s is not a name', (name) => {
  expect(cleanName(name)).toBe('')
})

test.each([
  ['in winter', '2026-01-05T20:00Z', 'EST'],
  ['in summer', '2026-07-06T18:00Z', 'EDT'],
  ['on the weekend when daylight saving time begins', '2026-03-07T15:00Z', 'EDT'],
])('%s, the office hours have the right time zone', async (_what, received, zone) => {
  const mail = visitorReceipt({ ...(await sampleLead()), ...promised(received) }, job, sender)

  for (const body of [mail.text, mail.html]) expect(body).toContain(`555-0142, Mon-Fri 8am-6pm ${zone}.`)
})

test('a receipt contains no text from the visitor except a clean first name', async () => {
  await using site = await buildTestApp({ sendsReceipts: true })
  const own = {
    lastName: 'Lovecraft',
    company: 'Company X',
    website: 'https://x.example',
    message: 'Buy this now',
    phone: '+44 20 7946 0123',
  }
  const { reference } = await submit(site, own)
  const { id } = await site.db.selectFrom('leads').select('id').executeTakeFirstOrThrow()
  const lead = await createLeadStore(site.db).get(id)

  const mail = visitorReceipt(lead, job, sender)

  const all = JSON.stringify(mail)
  for (const word of Object.values(own)) expect(all.replaceAll('555-0142', '')).not.toContain(word)
  expect(all).toContain('Hello Ada,')
  expect(all).toContain(reference)
})

test('an address (ignoring case) gets one receipt a day, and suspected spam gets none', async () => {
  await using site = await buildTestApp({ sendsReceipts: true })

  await submit(site, { message: '1' })
  await submit(site, { message: '2', email: 'ADA@Example.com' })
  await submit(site, { message: '3', email: 'grace@example.com' })
  expect(await receipts(site)).toEqual(['ada@example.com', 'grace@example.com'])

  site.clock.now = new Date(site.clock.now.getTime() + DAY_MS)
  await submit(site, { message: '4', email: 'ADA@Example.com' })
  const spam =
    'We offer SEO services, first page ranking guaranteed, buy backlinks at https://a.example and https://b.example'
  await submit(site, { message: spam, email: 'spam@example.com' }, { isHoneypotFilled: true, formAgeMs: 500 })
  expect(await receipts(site)).toEqual(['ada@example.com', 'grace@example.com', 'ADA@Example.com'])
})

test.each([
  ['victim@example.com', ['victim+1@example.com', 'victim+@example.com', 'VICTIM+a+b@Example.com']],
  ['victim@gmail.com', ['v.ictim@gmail.com', 'vic.tim+1@googlemail.com', 'V.I.C.T.I.M@GMAIL.COM']],
])('a mailbox gets one receipt a day for all spellings of its address: %s', async (address, others) => {
  await using site = await buildTestApp({ sendsReceipts: true })

  for (const [index, email] of [address, ...others].entries())
    await submit(site, { message: `${index}`, email })
  await submit(site, { message: 'x', email: 'v.ictim@example.com' })

  expect(await receipts(site)).toEqual([address, 'v.ictim@example.com'])
})

test('at most a hundred receipts a day are sent, but every lead and notice is stored', async () => {
  await using site = await buildTestApp({ sendsReceipts: true })
  const flood = async (name: string, requests: number) => {
    for (let index = 0; index < requests; index++)
      await submit(site, { message: `${name} ${index}`, email: `${name}${index}@example.com` })
  }

  await flood('a', 110)
  expect(await receipts(site)).toHaveLength(100)
  site.clock.now = new Date(site.clock.now.getTime() + DAY_MS)
  await createAcceptedRequests(site.db, { limit: 1, windowSeconds: 600 }).prune(site.clock.now)
  await flood('b', 1)

  expect(await receipts(site)).toHaveLength(101)
  const leads = await site.db.selectFrom('leads').select('id').execute()
  const notices = await site.db.selectFrom('outbox').select('id').where('kind', '=', 'owner_notice').execute()
  expect([leads.length, notices.length]).toEqual([111, 111])
})

test('receipt limits last a day and contain no address', async () => {
  await using site = await buildTestApp({ sendsReceipts: true, windowSeconds: 600 })
  await submit(site, { message: '1' })
  site.clock.now = new Date(site.clock.now.getTime() + DAY_MS / 2)

  await createAcceptedRequests(site.db, { limit: 1, windowSeconds: 600 }).prune(site.clock.now)
  await submit(site, { message: '2' })

  expect(await receipts(site)).toHaveLength(1)
  const rows = await site.db.selectFrom('accepted_requests').selectAll().execute()
  expect(rows).toHaveLength(3)
  expect(JSON.stringify(rows)).not.toMatch(/ada/i)
})

test('a receipt sent while the clock was a year ahead does not block the next one', async () => {
  await using site = await buildTestApp({ sendsReceipts: true })
  const { now } = site.clock
  site.clock.now = new Date(now.getTime() + 365 * DAY_MS)
  await submit(site, { message: '1' })
  site.clock.now = now

  await submit(site, { message: '2' })

  expect(await receipts(site)).toHaveLength(2)
})

test('by default, no receipts are sent', async () => {
  await using site = await buildTestApp()

  await submit(site, {})

  expect(await receipts(site)).toEqual([])
})

async function sampleLead() {
  await using site = await buildTestApp()
  await submit(site, {})
  const { id } = await site.db.selectFrom('leads').select('id').executeTakeFirstOrThrow()
  return await createLeadStore(site.db).get(id)
}

type Site = Awaited<ReturnType<typeof buildTestApp>>
const submit = (site: Site, changes: object, clues = { isHoneypotFilled: false, formAgeMs: 60_000 }) =>
  site.submitLead(sampleRequest({ firstName: 'Ada', email: 'ada@example.com', ...changes }), {
    client: 'c',
    idempotencyKey: null,
    clues,
  })
const receipts = async (site: Site) => {
  const rows = await site.db
    .selectFrom('outbox')
    .select('recipient')
    .where('kind', '=', 'visitor_receipt')
    .orderBy('id')
    .execute()
  return rows.map(({ recipient }) => recipient)
}
