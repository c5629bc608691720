import { expect, test } from 'vitest'
import { markSeen } from '../leads/change/change-lead.ts'
import { CUT, UNREADABLE } from '../leads/messages/message-text.ts'
import { testOnce, useTestApp } from '../proof/testing/build-test-app.ts'
import { anna, answerTools, bob, leadTools } from '../proof/testing/leads.ts'
import { ada, bounceOf, mailboxTools, us } from '../proof/testing/mailbox.ts'
import { outboxTools } from '../proof/testing/outbox.ts'
import { MORE } from './lead-room.ts'
import { hashOf } from './message-ids.ts'

const site = useTestApp({ mailTo: [anna, bob], sendsReceipts: true })
const { submit, read, history, drafts } = leadTools(site)
const { answer } = answerTools(site)
const { deliveryLog, rows } = outboxTools(site)
const MINUTE_MS = 60_000
const { deliver, takeIn, answered } = mailboxTools(site)

const whats = async (reference: string) => (await history(reference)).map(({ what }) => what)

test('a reply reopens the lead with a new promise, after those due earlier, and tells both owners', async () => {
  const { reference, id, answers } = await answered()
  const before = await read(reference)
  site.advanceClock(24 * 60 * MINUTE_MS)
  const earlier = await submit()
  const text = 'When can you start?\n\nOn Monday, March 2, Anna <site@agency.example> wrote:\n> Yes, we can.'
  await takeIn({ answers, text })
  const lead = await read(reference)
  expect(lead).toMatchObject({ state: 'open', version: before.version + 1, first_due_at: before.due_at })
  expect(lead.due_at > before.due_at).toBe(true)
  expect([lead.sort_key, (await read(earlier)).sort_key]).toEqual([lead.due_at, lead.due_at])
  expect((await history(reference)).at(-1)).toMatchObject({
    who: 'ada@example.com',
    what: 'reply',
    text: 'When can you start?',
  })
  const queued = (await rows()).filter((row) => row.lead_id === id && row.state === 'queued')
  expect(queued.map(({ kind, recipient }) => [kind, recipient])).toEqual([
    ['owner_notice', anna],
    ['owner_notice', bob],
  ])
  const sent = await deliver()
  const notice = sent.find(({ subject }) => /^Re: .*quote request/i.test(subject))
  expect(notice).toMatchObject({ replyTo: 'ada@example.com', date: new Date(lead.replied_at ?? '') })
  expect(notice?.text).toMatch(/^ {2}When can you start\?\n\n {2}Ada Lovelace\n\n-- \nBy Tuesday.*tel:312/s)
  await answer(reference, { key: crypto.randomUUID() })
  await takeIn({ answers, text: 'And now?' })
  expect(await read(reference)).toMatchObject({ state: 'open', first_due_at: before.due_at })
})

test.each([
  ['bo@example.org', 'bo@example.org', 'bo@example.org'],
  ['j\u00f6rg@example.org', 'j\u00f6rg@example.org', undefined],
  ['', 'an unknown address', undefined],
])('a notice of what %j has written names nobody else', async (from, name, replyTo) => {
  const { reference, answers } = await answered()
  await takeIn({ answers, from })
  const [notice] = await deliver()
  expect(notice?.subject).toBe(`Re: ${name}: quote request ${reference}`)
  expect(notice?.replyTo).toBe(replyTo)
  expect(notice?.text).toContain(`From ${name}, not the address of the request`)
  expect(notice?.text).not.toMatch(/lovelace|312|ada@/i)
})

const questions =
  'Which plan do you want for the new page?\nShould we start on Monday or only in the month of May?'
const [which, start] = questions.split('\n')
const between = `Hello\n\n> ${which}\n\nThe first\n\n> ${start}\n\nIn May\n\nAda`

test('a notice has all words of a message in order, above each what it answers, shortened', async () => {
  const { reference, notice } = await answered()
  await takeIn({ from: anna, to: ada, answers: notice, text: questions }, 'sent')
  await takeIn({
    answers: notice,
    text: `${between}\n\nOn 2 March 2026, Anna <${anna}> wrote:\n> ${which}\n> ${start}`,
  })
  await takeIn({ answers: notice, text: `${`> ${which}\n> ${start}\n`.repeat(2)}\nYes` })

  expect((await history(reference)).at(-2)?.text).toBe('Hello\n\nThe first\n\nIn May\n\nAda')
  // Of each message, both owners get one.
  const [first, , second] = (await deliver()).filter(({ subject }) => /^Re: .*quote/i.test(subject))
  expect(first?.text.replace(/^ {2}/gm, '')).toMatch(`${between}\n\nAda Lovelace\n`)
  expect(second?.text).toMatch(/^ {2}> Which plan .{120,}…\n\n {2}Yes\n/)
  expect(first?.html).toContain(`&#62; ${which}\n\nThe first`)
})

test('a notice names the files of a message, also if it has no words', async () => {
  const { answers } = await answered()
  await takeIn({ answers, text: '', attachments: ['plan.pdf (12 kB)', 'shop.jpg (2 MB)'] })
  const [notice] = await deliver()
  expect(notice?.text).toMatch(/^ {2}2 files: plan\.pdf \(12 kB\), shop\.jpg \(2 MB\)\n\n {2}Ada Lovelace\n/)
})

test("a notice whose content a mail server has refused has none of the visitor's words", async () => {
  const { reference, answers } = await answered()
  await takeIn({ answers })
  await site.db.updateTable('outbox').set({ cause: 'content' }).where('state', '=', 'queued').execute()
  const [notice] = await deliver()
  expect(notice?.subject).toBe(`Re: Quote request ${reference}`)
  expect(notice?.text).toMatch(/^ {2}A visitor has written again\n/)
  expect(notice?.text).not.toMatch(/lovelace|when can/i)
})

test("an answer quotes the visitor's newest message that can be quoted, and nobody else's", async () => {
  const { reference, answers } = await answered()
  await takeIn({ answers, text: 'Hello?' })
  await takeIn({ answers, from: 'Ada@Example.com', text: `When can you start?\n\n${CUT}` })
  const another = await answered({ message: 'Another request.' })
  await takeIn({ answers: another.answers, text: 'About another one.' })
  const withoutWords = [{ text: '' }, { text: UNREADABLE }, { text: MORE }]
  const automatic = { text: 'I am away.', headers: 'Auto-Submitted: auto-replied' }
  for (const other of [...withoutWords, automatic, { text: 'Ask less.', from: 'bo@example.org' }])
    await takeIn({ answers, ...other })
  await answer(reference, { key: crypto.randomUUID(), text: 'On Monday.' })
  site.advanceClock(MINUTE_MS)
  await takeIn({ answers, text: 'This came too late.' })
  const sent = (await deliver()).find(({ text }) => text.startsWith('On Monday.'))
  expect(sent?.text).toMatch(/^On Monday\.\s+On .*, Ada Lovelace wrote:\s+> When can you start\? \[…\]\s*$/)
})

test('a notice of a message that was erased before it is sent is deleted', async () => {
  const { answers } = await answered()
  await takeIn({ answers })
  await site.db.deleteFrom('lead_events').where('what', '=', 'reply').execute()
  expect(await deliver()).toEqual([])
  expect((await rows()).filter(({ state }) => state !== 'sent')).toEqual([])
})

test('the same message is stored once, however often it is read', async () => {
  const { reference, answers } = await answered()
  const again = (headers = '') => takeIn({ answers, id: '<same@example.com>', headers })
  await Promise.all([again(), again()])
  await again('X-Moved: yes')
  await again()
  // As an earlier version has stored it.
  const key = `mail ${hashOf('<same@example.com>')}`
  await site.db.updateTable('lead_events').set({ key }).where('what', '=', 'reply').execute()
  await again()
  expect((await whats(reference)).filter((what) => what === 'reply')).toHaveLength(1)
})

test('what an owner sends from her email program answers the lead, and her draft stays', async () => {
  const { reference, answers, notice } = await answered()
  await takeIn({ answers, id: '<question@example.com>' })
  const due = await read(reference)
  await takeIn({ from: anna, to: 'Ada <ADA@example.com>', answers: notice, text: 'Next week.' }, 'sent')
  expect(await read(reference)).toMatchObject({ state: 'answered', replied_at: null, due_at: due.due_at })
  expect((await history(reference)).at(-1)).toMatchObject({
    who: anna,
    what: 'answered_by_mail',
    text: 'Next week.',
  })
  const planned = { result: 'won', follow_up_at: '2026-04-01T14:00:00.000Z' } as const
  await site.db.updateTable('leads').set(planned).execute()
  await takeIn({ from: anna, to: 'ada@example.com', answers: notice, text: 'Thank you.' }, 'sent')
  expect(await read(reference)).toMatchObject({ state: 'answered', ...planned })
})

test.each([[['inbox', 'sent']], [['sent', 'inbox']]] as const)(
  'an owner who answers from an unknown address, with copies to herself and the mailbox, has answered: %j',
  async (folders) => {
    const { reference, answers } = await answered()
    const from = 'anna@home.example'
    await takeIn({ answers, from, text: 'I ask for somebody else.' })
    await takeIn({ answers, id: '<alias@example.com>' })
    const fields = { answers, id: '<alias@example.com>', from, to: `ada@example.com, ${from}` }
    for (const folder of folders) await takeIn(fields, folder)
    expect((await read(reference)).state).toBe('answered')
    expect((await history(reference)).slice(-3)).toMatchObject([
      { who: from, what: 'reply' },
      { who: 'ada@example.com', what: 'reply' },
      // Which owner it is, nobody knows.
      { who: from, what: 'answered_by_mail' },
    ])
  },
)

test('a visitor who asks again and again does not put off the promised reply, but gets one if it was postponed', async () => {
  const reference = await submit({ email: 'ada@example.com' })
  const { due_at } = await read(reference)
  site.advanceClock(24 * 60 * MINUTE_MS)
  await takeIn({ subject: reference })
  expect(await read(reference)).toMatchObject({ due_at, state: 'open' })
  expect((await whats(reference)).at(-1)).toBe('reply')
  await site.db.updateTable('leads').set({ follow_up_at: '2026-04-01T14:00:00.000Z' }).execute()
  await takeIn({ subject: reference, text: 'Still there?' })
  const lead = await read(reference)
  expect(lead).toMatchObject({ follow_up_at: null, replied_at: site.clock.now.toISOString() })
  expect(lead.due_at > due_at).toBe(true)
})

testOnce.each([
  ['Auto-Submitted: auto-replied', 'I am away.', false],
  ['Precedence: auto_reply', 'I am away.', false],
  ['X-Autoreply: yes', 'I am away.', false],
  ['Auto-Submitted: auto-generated', '', false],
  ['Auto-Submitted: auto-generated', 'Yes, please start.', true],
  ['Precedence: bulk', 'Yes, please start.', true],
  ['Precedence: junk', 'Yes, please start.', true],
  ['Return-Path: <>', 'Yes, please start.', true],
])(
  "of what a program sends (%s: %j), somebody's words are unread, and in the next list: %s",
  async (headers, text, isNews) => {
    const { reference, answers } = await answered()
    for (const _time of [1, 2]) await markSeen(site.inboxDeps, { reference, who: anna })
    const before = await read(reference)
    await takeIn({ answers, headers, text })
    expect((await history(reference)).at(-1)).toMatchObject({ what: 'automatic_reply', text })
    expect(await read(reference)).toEqual(isNews ? { ...before, seen_at: null, awaits_list: 1 } : before)
    expect(before.seen_at).not.toBe(null)
    await markSeen(site.inboxDeps, { reference, who: anna })
    expect((await whats(reference)).filter((what) => what === 'seen')).toHaveLength(1)
  },
)

test('an answer that comes back later reopens the lead with the reason, and its author is told once', async () => {
  const { reference, answers } = await answered()
  const report = { from: 'mailer-daemon@mx.example.com', body: bounceOf(answers) }
  for (const _time of [1, 2]) await takeIn(report)
  expect(await read(reference)).toMatchObject({ state: 'open', answered_at: null })
  expect((await read(reference)).trouble).toMatch(/mailbox does not exist.*status 5\.1\.1/)
  expect((await rows()).filter(({ kind }) => kind === 'answer_trouble')).toMatchObject([{ recipient: anna }])
})

test.each(['sent', 'inbox'] as const)(
  "if an owner's own email (in %s) comes back, the lead is open again with the reason, the text is a draft, and the owner is told once",
  async (folder) => {
    const { reference, answers } = await answered()
    const [id, body] = ['<from-a-program@x>', bounceOf('<from-a-program@x>', { status: '5.7.1' })]
    await takeIn({ answers, id, from: anna, to: 'ada@example.com', text: 'On Monday.' }, folder)
    site.advanceClock(MINUTE_MS)
    await takeIn({ body: body.replace('rfc822; ada@', 'rfc822; somebody@') })
    expect((await read(reference)).state).toBe('answered')
    for (const _time of [1, 2]) await takeIn({ body })
    expect(await read(reference)).toMatchObject({
      state: 'open',
      trouble: expect.stringMatching(/mail server refused it\. .*status 5\.7\.1/),
    })
    expect(await drafts()).toEqual([{ owner: anna, text: 'On Monday.' }])
    expect((await rows()).filter(({ kind }) => kind === 'answer_trouble')).toMatchObject([
      { recipient: anna, content: expect.stringContaining('"address":"ada@example.com"') },
    ])
    // Her next email may come back, too.
    const again = '<again@x>'
    await takeIn({ answers, id: again, from: anna, to: 'ada@example.com' }, folder)
    await takeIn({ body })
    expect((await read(reference)).state).toBe('answered')
    await takeIn({ body: body.replace(id, again).replaceAll('5.7.1', '4.4.7') })
    expect(await read(reference)).toMatchObject({ state: 'open', trouble: expect.stringMatching(/for days/) })
  },
)

test('a bounce whose Message-ID a mail service has changed belongs to the newest answer to that address', async () => {
  const { reference, receipt } = await answered()
  const key = crypto.randomUUID()
  await answer(reference, { key, text: 'The newest.' })
  site.advanceClock(MINUTE_MS)
  await deliver()
  const body = bounceOf('<changed@ses.example>').replace(
    'Subject: Hi',
    `Subject: Re: Your request ${reference}`,
  )
  await takeIn({ body: body.replace('rfc822; ada@', 'rfc822; somebody@') })
  expect((await read(reference)).state).toBe('answered')
  await takeIn({ body })
  expect(await read(reference)).toMatchObject({
    state: 'open',
    trouble: expect.stringContaining('status 5.1.1'),
  })
  expect(await drafts()).toEqual([{ owner: anna, text: 'The newest.' }])
  expect((await rows()).find(({ message_id }) => message_id === receipt)).toMatchObject({ state: 'sent' })
})

test.each([
  ['5.1.1', 'bounced'],
  ['5.7.1', 'failed'],
])(
  'if a receipt comes back later with the status %s, it has %s, which is noted once',
  async (status, outcome) => {
    const { reference, receipt } = await answered()
    for (const _time of [1, 2]) await takeIn({ body: bounceOf(receipt, { status }) })
    const failed = (await rows()).filter(({ state, cause }) => state === 'failed' && cause === 'recipient')
    expect(failed.map(({ message_id }) => message_id)).toEqual([receipt])
    const later = (await deliveryLog()).filter(({ response }) => response.startsWith('Returned later'))
    expect(later.map((attempt) => attempt.outcome)).toEqual([outcome])
    expect((await read(reference)).state).toBe('answered')
  },
)

test('all later answers refer to what was said before', async () => {
  const { reference, answers, receipt } = await answered()
  await takeIn({ answers, id: '<question@example.com>' })
  site.advanceClock(MINUTE_MS)
  await answer(reference, { key: crypto.randomUUID() })
  site.advanceClock(MINUTE_MS)
  const sent = (await deliver()).findLast(({ to }) => /ada@/i.test(to))
  expect(sent?.headers).toEqual({
    'In-Reply-To': '<question@example.com>',
    References: `${receipt} ${answers} <question@example.com> ${sent?.messageId}`,
  })
})

test('a copy of what we have sent is no answer, whatever its Message-ID', async () => {
  const { reference, answers } = await answered()
  site.advanceClock(MINUTE_MS)
  await answer(reference, { key: crypto.randomUUID(), text: 'On Monday at ten.' })
  site.advanceClock(MINUTE_MS)
  const sent = (await deliver()).findLast(({ to }) => /ada@/i.test(to))
  const before = await history(reference)

  await takeIn({ from: anna, to: ada, answers, text: sent?.text ?? '' }, 'sent')
  expect(await history(reference)).toEqual(before)

  await takeIn({ from: anna, to: ada, answers, text: 'On Monday at nine.' }, 'sent')
  expect((await history(reference)).at(-1)).toMatchObject({ text: 'On Monday at nine.' })
})

test('an owner who has tried the form with an own address writes again like anybody', async () => {
  const { answers, reference } = await answered({ email: 'Anna@Agency.example' })

  await takeIn({ from: anna, to: us, answers, text: 'Does this arrive?' })

  expect((await read(reference)).state).toBe('open')
  expect((await history(reference)).at(-1)).toMatchObject({
    who: anna,
    what: 'reply',
    text: 'Does this arrive?',
  })
})
