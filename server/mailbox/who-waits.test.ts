import { describe, expect, test } from 'vitest'
import { markSeen } from '../leads/change/change-lead.ts'
import { markLead, nothingToAnswer } from '../leads/change/mark-lead.ts'
import { readUnanswered } from '../leads/emails/written-words.ts'
import { readHistory } from '../leads/lists/history.ts'
import { useTestApp } from '../proof/testing/build-test-app.ts'
import { anna, answerTools, leadTools } from '../proof/testing/leads.ts'
import { ada, adaAtWork, bounceOf, carl, type Mail, mailboxTools } from '../proof/testing/mailbox.ts'
import { readQuotable } from './reply-notice.ts'

const site = useTestApp({ mailTo: [anna], sendsReceipts: true })
const { read, submit, history } = leadTools(site)
const { answer } = answerTools(site)
const { answered, deliver, takeIn } = mailboxTools(site)

test('a new email of an owner to somebody who has only replied belongs to that lead', async () => {
  const { answers, reference } = await answered()
  await takeIn({ from: adaAtWork, answers })

  await takeIn({ from: anna, to: adaAtWork, text: 'On Monday.' }, 'sent')

  expect((await read(reference)).state).toBe('answered')
})

type Wait = { before: Mail[]; mail: Mail; state: string }
const fromCarl = (at?: string): Mail => [{ from: carl, ...(at && { receivedAt: at }) }]
const fromWork: Mail = [{ from: adaAtWork }]
const fromAda = (at?: string): Mail => [{ ...(at && { receivedAt: at }) }]
const byAnna = (to: string, at?: string): Mail => [
  { from: anna, to, text: 'On Monday.', ...(at && { receivedAt: at }) },
  'sent',
]
const [NINE, TEN, ELEVEN] = [
  '2026-03-02T09:00:00.000Z',
  '2026-03-02T10:00:00.000Z',
  '2026-03-02T11:00:00.000Z',
]

test.each<[string, Wait]>([
  [
    'the person, while somebody else waits, too',
    { before: [fromAda(), fromCarl()], mail: byAnna(ada), state: 'open' },
  ],
  ['both', { before: [fromAda(), fromCarl()], mail: byAnna(`${ada}, ${carl}`), state: 'answered' }],
  [
    'each of two people apart',
    { before: [fromAda(), fromCarl(), byAnna(carl)], mail: byAnna(ada), state: 'answered' },
  ],
  [
    'one person, but another has written again',
    { before: [fromAda(), fromCarl(), byAnna(ada), fromAda()], mail: byAnna(carl), state: 'open' },
  ],
  ['the person, before she wrote', { before: [fromAda(TEN)], mail: byAnna(ada, NINE), state: 'open' }],
  ['the person, after she wrote', { before: [fromAda(TEN)], mail: byAnna(ada, ELEVEN), state: 'answered' }],
  ['the person, in the same second', { before: [fromAda(TEN)], mail: byAnna(ada, TEN), state: 'answered' }],
  ...(
    [
      ['the person, who does not wait, while two others do', ada, 'open'],
      ['one of them, who has an answer to an earlier message', carl, 'open'],
      ['both of them', `${adaAtWork}, ${carl}`, 'answered'],
    ] as const
  ).map(([whom, to, state]): [string, Wait] => [
    whom,
    { before: [fromWork, fromCarl(), byAnna(carl), fromCarl()], mail: byAnna(to), state },
  ]),
  [
    'the person, before she wrote, and then somebody else',
    {
      before: [fromAda(TEN), fromCarl(NINE), byAnna(ada, NINE)],
      mail: byAnna(carl, ELEVEN),
      state: 'open',
    },
  ],
])("an owner's email answers everybody whose messages came before: it goes to %s", async (_whom, wait) => {
  const { answers, reference } = await answered()
  for (const [fields, folder] of [...wait.before, wait.mail]) await takeIn({ ...fields, answers }, folder)

  expect((await read(reference)).state).toBe(wait.state)
})

test.each([
  ['message', ada, carl],
  ['message', carl, ada],
  ['request', 'dora@example.com', carl],
  ['request', carl, 'dora@example.com'],
])(
  'if an email of an owner answers only one of two people, the other still waits: %s, to %s',
  async (what, to, other) => {
    const { answers, reference } = what === 'request' ? await unanswered() : await answered()
    if (what === 'message') await takeIn({ from: ada, answers, text: 'Please call me.' })
    await takeIn({ from: carl, answers, text: 'I am her colleague.' })
    await takeIn({ from: anna, to, answers, id: '<own@agency.example>' }, 'sent')

    const lead = await read(reference)
    expect([lead.state, (await readUnanswered(site.db, lead)).who]).toEqual(['open', other])

    // What came back has answered nobody.
    const bounce = bounceOf('<own@agency.example>', { status: '5.2.2' }).replace(ada, to)
    await takeIn({ from: '', body: bounce })
    expect((await readUnanswered(site.db, lead)).who).toBe(lead.email.toLowerCase())
  },
)

test('whose answer came back waits again, whoever else has got one since', async () => {
  const { answers, reference } = await answered()
  await takeIn({ from: ada, answers, text: 'Please call me.' })
  await takeIn({ from: carl, answers, text: 'I am her colleague.' })
  await takeIn({ from: anna, to: ada, answers, id: '<hers@agency.example>' }, 'sent')
  await takeIn({ from: anna, to: carl, answers, id: '<his@agency.example>' }, 'sent')
  await takeIn({ from: '', body: bounceOf('<hers@agency.example>', { status: '5.2.2' }) })

  const lead = await read(reference)
  expect([lead.state, (await readUnanswered(site.db, lead)).who]).toEqual(['open', ada])
})

/** A request of Dora that nobody has answered, and the Message-ID of its receipt. */
async function unanswered() {
  const reference = await submit({ email: 'dora@example.com' })
  await deliver()
  const emails = site.db.selectFrom('outbox').select('message_id').where('recipient', '=', 'dora@example.com')
  const { message_id: answers } = await emails.executeTakeFirstOrThrow()
  return { reference, answers }
}

test('an email to others does not answer a request that nobody has answered', async () => {
  const { answers, reference } = await unanswered()
  await takeIn({ from: carl, answers })

  await takeIn({ from: anna, to: carl, answers }, 'sent')
  expect((await read(reference)).state).toBe('open')

  await takeIn({ from: anna, to: 'dora@example.com', answers }, 'sent')
  expect((await read(reference)).state).toBe('answered')
})

test('an email about one request of a person does not answer another one', async () => {
  const first = await unanswered()
  await takeIn({ from: carl, answers: first.answers })
  const second = await submit({ email: 'dora@example.com', message: 'And a logo, please.' })
  await takeIn({ from: anna, to: 'dora@example.com', subject: `Your request ${second}` }, 'sent')
  expect(await history(second)).toMatchObject([{ what: 'answered_by_mail' }])

  const lead = await read(first.reference)
  expect([lead.state, (await readUnanswered(site.db, lead)).who]).toEqual(['open', 'dora@example.com'])
})

test('if nobody waits, the last words of the person are quoted, not those of somebody else', async () => {
  const { answers, reference } = await answered()
  await takeIn({ answers, text: 'I have decided.' })
  await takeIn({ from: carl, answers, text: 'I am her colleague.' })
  await answer(reference, { key: crypto.randomUUID() })
  const other = await answered({ message: 'And a logo, please.' })
  await takeIn({ answers: other.answers, text: 'Blue, please.' })

  expect((await readUnanswered(site.db, await read(reference))).texts).toEqual(['I have decided.'])
})

test('whose message needed no answer does not wait for one', async () => {
  const { answers, reference } = await unanswered()
  await takeIn({ from: carl, answers })
  const { version } = await read(reference)
  await nothingToAnswer(site.inboxDeps, { reference, version, who: anna })
  expect((await read(reference)).state).toBe('open')

  await takeIn({ from: anna, to: 'dora@example.com', answers }, 'sent')
  expect((await read(reference)).state).toBe('answered')
})

test("what an owner's email has answered before it is read is in the next list, but opens nothing", async () => {
  const { answers, reference } = await answered()
  const [byAnnaAtEleven, folder] = byAnna(ada, ELEVEN)
  await takeIn({ ...byAnnaAtEleven, answers }, folder)
  await takeIn({ answers, text: 'Can you start on Monday?', receivedAt: TEN })

  expect(await read(reference)).toMatchObject({ state: 'answered', awaits_list: 1, seen_at: null })
  expect((await history(reference)).at(-1)).toMatchObject({ what: 'reply', who: ada })

  for (const fields of [
    { from: carl, answers, receivedAt: TEN },
    { answers, receivedAt: '2026-03-02T10:59:01.000Z' },
    { answers, receivedAt: '2026-03-02T11:00:01.000Z' },
    { subject: reference, receivedAt: TEN },
  ]) {
    await takeIn(fields)
    const { state, version } = await read(reference)
    expect(state).toBe('open')
    await markLead(site.inboxDeps, { reference, version, who: anna, state: 'answered' })
  }
})

test('what is read a day late has the time when it was written, and so has the answer', async () => {
  const reference = await submit({ email: ada })
  await deliver()
  const { created_at } = await read(reference)
  const after = (minutes: number) => new Date(Date.parse(created_at) + minutes * 60_000).toISOString()
  site.advanceClock(24 * 60 * 60_000)
  const mails: Mail[] = [
    [{ from: anna, to: ada, subject: reference, receivedAt: after(30) }, 'sent'],
    [{ subject: reference, receivedAt: after(20) }],
  ]
  for (const mail of mails) await takeIn(...mail)

  const { id, answered_at } = await read(reference)
  expect(answered_at).toBe(after(30))
  const { events } = await readHistory(site.db, id)
  expect(events.map(({ what, at }) => [what, at])).toEqual([
    ['answered_by_mail', after(30)],
    ['reply', after(20)],
  ])
  expect(await readQuotable(site.db, id, ada, after(60 * 48))).toMatchObject({ at: new Date(after(20)) })
})

test('what was answered before it was read does not wait when somebody else writes', async () => {
  const { answers, reference } = await answered()
  const [byAnnaAtEleven, folder] = byAnna(ada, ELEVEN)
  await takeIn({ ...byAnnaAtEleven, answers }, folder)
  await takeIn({ answers, receivedAt: TEN })
  await markSeen(site.inboxDeps, { reference, who: anna })
  await takeIn({ from: carl, answers })

  await takeIn({ from: anna, to: carl, answers, text: 'On Tuesday.' }, 'sent')
  expect((await read(reference)).state).toBe('answered')
})

test("an owner's email program whose clock is fast has not answered what comes next", async () => {
  const { answers, reference } = await answered()
  const { now } = site.clock
  const inAnHour = new Date(now.getTime() + 60 * 60_000).toISOString()
  await takeIn({ from: anna, to: ada, answers, receivedAt: inAnHour }, 'sent')

  await takeIn({ answers, text: 'Thursday instead?', receivedAt: now.toISOString() })
  expect((await read(reference)).state).toBe('open')
})

test('while nobody waits, an email to somebody else does not answer a lead that was opened again', async () => {
  const { answers, reference } = await answered()
  await takeIn({ from: carl, answers })
  for (const state of ['answered', 'open'] as const) {
    const { version } = await read(reference)
    await markLead(site.inboxDeps, { reference, version, who: anna, state })
  }

  await takeIn({ from: anna, to: carl, text: 'What do you charge?', answers }, 'sent')
  expect((await read(reference)).state).toBe('open')

  await takeIn({ from: anna, to: ada, text: 'On Monday.', answers }, 'sent')
  expect((await read(reference)).state).toBe('answered')
})

describe('an answer that has failed is none', () => {
  const fail = (messageId: string, recipient = ada) =>
    takeIn({ from: '', body: bounceOf(messageId, { status: '5.2.2' }).replace(ada, recipient) })
  /** Sends an answer from the inbox, which comes back. */
  async function answerInVain(reference: string, to: string) {
    await answer(reference, { key: crypto.randomUUID(), to })
    site.advanceClock(60_000)
    await deliver()
    const emails = site.db.selectFrom('outbox').select('message_id').where('kind', '=', 'answer')
    const { message_id } = await emails.orderBy('id', 'desc').limit(1).executeTakeFirstOrThrow()
    await fail(message_id, to)
  }

  test('to the person, who still waits after an answer to somebody else', async () => {
    const { answers, receipt, reference } = await answered()
    await fail(answers)
    await takeIn({ from: carl, answers: receipt })

    await takeIn({ from: anna, to: carl, answers: receipt }, 'sent')

    expect(await read(reference)).toMatchObject({ state: 'open', trouble: expect.anything() })
  })

  test('to somebody else, who still waits after an email to the person', async () => {
    const { answers, reference } = await answered()
    await takeIn({ from: carl, answers })
    await answerInVain(reference, carl)

    await takeIn({ from: anna, to: ada, answers }, 'sent')

    expect((await read(reference)).state).toBe('open')
  })

  test('to several messages, which a reminder quotes again', async () => {
    const { answers, reference } = await answered()
    for (const text of ['A first question?', 'A second question?']) await takeIn({ answers, text })
    await answerInVain(reference, ada)

    const { texts } = await readUnanswered(site.db, await read(reference))
    expect(texts).toEqual(['A first question?', 'A second question?'])
  })
})

test('the person of a request that was marked as answered by mistake still waits', async () => {
  const { answers, reference } = await unanswered()
  for (const state of ['answered', 'open'] as const) {
    const { version } = await read(reference)
    await markLead(site.inboxDeps, { reference, version, who: anna, state })
  }
  await takeIn({ from: carl, answers })
  const lead = await read(reference)
  expect((await readUnanswered(site.db, lead)).texts).toEqual([lead.message])

  await takeIn({ from: anna, to: carl, answers }, 'sent')
  expect((await read(reference)).state).toBe('open')
})

const dora = 'dora@example.com'
const inMinutes = (minutes: number) => new Date(site.clock.now.getTime() + minutes * 60_000).toISOString()

test.each<[string, Mail]>([
  ["an owner's email", [{ from: anna, to: dora, text: 'Please use our form.' }, 'sent']],
  ["the person's", [{ from: dora }]],
])('what came before a request has nothing to do with it, whenever it is read: %s', async (_whose, mail) => {
  const receivedAt = inMinutes(0)
  site.advanceClock(60 * 60_000)
  const reference = await submit({ email: dora })
  const [fields, folder] = mail
  await takeIn({ ...fields, receivedAt }, folder)

  expect((await read(reference)).state).toBe('open')
  expect(await history(reference)).toEqual([])
})

test("an owner's email that may have come before a request, as clocks differ, answers it only if it names it", async () => {
  const { reference, answers } = await unanswered()
  const mail: Mail[0] = { from: anna, to: dora, receivedAt: inMinutes(-1) }
  await takeIn({ ...mail, text: 'Please use our form.' }, 'sent')
  expect((await read(reference)).state).toBe('open')
  expect(await history(reference)).toMatchObject([{ what: 'answered_by_mail' }])

  await takeIn({ ...mail, text: 'We can.', answers }, 'sent')
  expect((await read(reference)).state).toBe('answered')
})
