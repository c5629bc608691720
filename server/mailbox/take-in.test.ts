import { expect, test } from 'vitest'
import type { Message as Sent } from '../mail/mailer.ts'
import type { Email } from '../outbox/email.ts'
import { testOnce, useTestApp } from '../proof/testing/build-test-app.ts'
import { anna, answerTools, bob, leadTools } from '../proof/testing/leads.ts'
import { outboxTools, writeEmailOf } from '../proof/testing/outbox.ts'
import { readMessage, UNREADABLE } from './read-message.ts'
import { createTakeIn, type Folder } from './take-in.ts'

const site = useTestApp({ mailTo: [anna, bob], sendsReceipts: true })
const { submit, read, history, drafts } = leadTools(site)
const { answer } = answerTools(site)
const { rows, deliver: deliverWith } = outboxTools(site)
/** Sends all emails that are due. Returns them. */
async function deliver() {
  const sent: Sent[] = []
  await deliverWith(async (email) => {
    sent.push(await writeEmailOf(site, { hasMailbox: true })(email as Email))
    return '250 ok'
  })
  return sent
}
const MINUTE_MS = 60_000
const MAIL_FROM = 'site@agency.example'

let ids = 0
type Field = 'from' | 'to' | 'subject' | 'answers' | 'headers' | 'body' | 'text' | 'id'
type Fields = Partial<Record<Field, string>>

/** Takes in an email: by default, a reply by Ada, who is the visitor. */
async function takeIn({ answers, headers, ...fields }: Fields, folder: Folder = 'inbox') {
  const lines = [
    `From: ${fields.from ?? 'ada@example.com'}`,
    `To: ${fields.to ?? 'hello@agency.example'}`,
    `Subject: ${fields.subject ?? 'Re: Hi'}`,
    `Message-ID: ${fields.id ?? `<${++ids}@example.com>`}`,
    ...(answers ? [`In-Reply-To: ${answers}`, `References: ${answers}`] : []),
    ...(headers ? [headers] : []),
    fields.body ?? `Content-Type: text/plain; charset=utf-8\n\n${fields.text ?? 'When can you start?'}`,
  ]
  const message = await readMessage(Buffer.from(lines.join('\n').replace(/\n/g, '\r\n')))
  await createTakeIn({ ...site.context, onQueued() {} })(message, folder)
}

/** What a mail server returns if it can't deliver an email (RFC 3464). */
const bounceOf = (messageId: string, { action = 'failed', status = '5.1.1' } = {}) =>
  `Content-Type: multipart/report; report-type=delivery-status; boundary=b

--b
Content-Type: text/plain

Your message could not be delivered.
--b
Content-Type: message/delivery-status

Reporting-MTA: dns; mx.example.com

Final-Recipient: rfc822; ada@example.com
Action: ${action}
Status: ${status}
Diagnostic-Code: smtp; 550 ${status} No such
 user here
--b
Content-Type: message/rfc822

From: site@agency.example
Message-ID: ${messageId}
Subject: Hi

Hello
--b--
`

/** A lead that Anna has answered. */
async function answered() {
  const reference = await submit({ email: 'ada@example.com' })
  await deliver()
  await answer(reference, { key: crypto.randomUUID() })
  site.advanceClock(MINUTE_MS)
  await deliver()
  const { id } = await read(reference)
  const messageId = async (kind: string) =>
    (await rows()).find((row) => row.lead_id === id && row.kind === kind)?.message_id ?? ''
  return {
    reference,
    id,
    answers: await messageId('answer'),
    receipt: await messageId('visitor_receipt'),
    notice: await messageId('owner_notice'),
  }
}

const whats = async (reference: string) => (await history(reference)).map(({ what }) => what)

test('a reply reopens the lead on top, with a new promise, and tells both owners', async () => {
  const { reference, id, answers } = await answered()
  const before = await read(reference)
  site.advanceClock(24 * 60 * MINUTE_MS)
  const earlier = await submit()
  await takeIn({
    answers,
    text: 'When can you start?\n\nOn Monday, March 2, Anna <hello@agency.example> wrote:\n> Hi',
  })
  const lead = await read(reference)
  expect(lead).toMatchObject({ state: 'open', version: before.version + 1, first_due_at: before.due_at })
  expect(lead.due_at > before.due_at).toBe(true)
  expect(lead.sort_key < (await read(earlier)).sort_key).toBe(true)
  expect((await history(reference)).at(-1)).toMatchObject({
    ...{ who: 'ada@example.com', what: 'reply', text: 'When can you start?' },
  })
  const queued = (await rows()).filter((row) => row.lead_id === id && row.state === 'queued')
  expect(queued.map(({ kind, recipient }) => [kind, recipient])).toEqual([
    ['owner_notice', anna],
    ['owner_notice', bob],
  ])
  const sent = await deliver()
  const notice = sent.find(({ subject }) => subject.startsWith('Re: Quote request'))
  expect(notice?.text).toContain('When can you start?')
})

test("an answer quotes the visitor's newest message that can be quoted, and nobody else's", async () => {
  const { reference, answers } = await answered()
  await takeIn({ answers, text: 'When can you start?' })
  for (const other of [{ text: '' }, { text: UNREADABLE }, { text: 'Ask less.', from: 'bo@example.org' }])
    await takeIn({ answers, ...other })
  await answer(reference, { key: crypto.randomUUID(), text: 'On Monday.' })
  site.advanceClock(MINUTE_MS)
  await takeIn({ answers, text: 'This came too late.' })
  const sent = (await deliver()).find(({ text }) => text.startsWith('On Monday.'))
  expect(sent?.text).toMatch(/^On Monday\.\s+On .*, Ada Lovelace wrote:\s+> When can you start\?\s*$/)
})

test('the same message is stored once, however often it is read', async () => {
  const { reference, answers } = await answered()
  const again = () => takeIn({ answers, id: '<same@example.com>' })
  await Promise.all([again(), again()])
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
})

test('our own emails in the folder of sent messages change nothing', async () => {
  const { reference, answers, receipt } = await answered()
  const before = await read(reference)
  for (const id of [answers, receipt])
    await takeIn({ from: MAIL_FROM, to: 'ada@example.com', id, answers: receipt }, 'sent')
  expect(await read(reference)).toEqual(before)
})

test('an owner who answers at the address from which the visitor wrote again has answered', async () => {
  const { reference, answers } = await answered()
  await takeIn({ answers, from: 'ada@work.example', id: '<work@example.com>' })
  await takeIn({ from: anna, to: 'ada@work.example', answers: '<work@example.com>' }, 'sent')
  expect((await read(reference)).state).toBe('answered')
})

test('an owner who answers from an unknown address, with a copy to the mailbox, has answered', async () => {
  const { reference, answers } = await answered()
  await takeIn({ answers })
  const fields = { answers, id: '<alias@example.com>', from: 'anna@home.example', to: 'ada@example.com' }
  await takeIn(fields)
  await takeIn(fields, 'sent')
  expect((await read(reference)).state).toBe('answered')
  expect((await whats(reference)).slice(-2)).toEqual(['reply', 'answered_by_mail'])
})

test('a visitor who asks again and again does not put off the promised reply', async () => {
  const reference = await submit({ email: 'ada@example.com' })
  const { due_at } = await read(reference)
  site.advanceClock(24 * 60 * MINUTE_MS)
  await takeIn({ subject: reference })
  expect(await read(reference)).toMatchObject({ due_at, state: 'open' })
  expect((await whats(reference)).at(-1)).toBe('reply')
})

test('a reply that a group has passed on counts', async () => {
  const { reference, answers } = await answered()
  await takeIn({ answers, headers: 'Precedence: list\nList-ID: <hello.agency.example>' })
  expect((await read(reference)).state).toBe('open')
})

test('a Message-ID that is none does not get into later answers', async () => {
  const { reference, answers } = await answered()
  await takeIn({ answers, id: '<a b>' })
  await takeIn({ answers, id: `<${'a'.repeat(10_000)}>` })
  await takeIn({ answers, id: '' })
  site.advanceClock(MINUTE_MS)
  await answer(reference, { key: crypto.randomUUID() })
  site.advanceClock(MINUTE_MS)
  const references = (await deliver()).findLast(({ to }) => to === 'ada@example.com')?.headers?.References
  expect(references).toMatch(/^(?:<[^<>\s]{1,500}> ?)+$/)
  expect(references?.match(/@no-message-id\.invalid/g)).toHaveLength(3)
})

testOnce.each([
  'Auto-Submitted: auto-replied',
  'Precedence: bulk',
  'Precedence: auto_reply',
  'X-Autoreply: yes',
  'Return-Path: <>',
])('an automatic reply (%s) joins the history and changes nothing else', async (headers) => {
  const { reference, answers } = await answered()
  const before = await read(reference)
  await takeIn({ answers, headers, text: 'I am away.' })
  expect((await history(reference)).at(-1)).toMatchObject({ what: 'automatic_reply', text: 'I am away.' })
  expect(await read(reference)).toEqual(before)
})

test('an answer that comes back later reopens the lead with the reason, and its author is told once', async () => {
  const { reference, answers } = await answered()
  for (const _time of [1, 2]) await takeIn({ from: 'mailer-daemon@mx.example.com', body: bounceOf(answers) })
  expect(await read(reference)).toMatchObject({ state: 'open', answered_at: null })
  expect((await read(reference)).trouble).toMatch(/mailbox does not exist.*550 5\.1\.1 No such user here/)
  expect((await rows()).filter(({ kind }) => kind === 'answer_trouble')).toMatchObject([{ recipient: anna }])
})

test("if an owner's own email comes back, the lead is open again with the reason, the text is a draft, and the owner is told once", async () => {
  const { reference, answers } = await answered()
  const [id, body] = ['<from-a-program@x>', bounceOf('<from-a-program@x>', { status: '5.7.1' })]
  await takeIn({ answers, id, from: anna, to: 'ada@example.com', text: 'On Monday.' }, 'sent')
  site.advanceClock(MINUTE_MS)
  for (const _time of [1, 2]) await takeIn({ body })
  expect(await read(reference)).toMatchObject({
    state: 'open',
    trouble: expect.stringMatching(/mail server refused it\. .*550 5\.7\.1/),
  })
  expect(await drafts()).toEqual([{ owner: anna, text: 'On Monday.' }])
  expect((await rows()).filter(({ kind }) => kind === 'answer_trouble')).toMatchObject([{ recipient: anna }])
})

test('a bounce whose Message-ID a mail service has changed belongs to the newest answer to that address', async () => {
  const { reference, receipt } = await answered()
  const body = bounceOf('<changed@ses.example>').replace(
    'Subject: Hi',
    `Subject: Re: Your request ${reference}`,
  )
  await takeIn({ body: body.replace('rfc822; ada@', 'rfc822; somebody@') })
  expect((await read(reference)).state).toBe('answered')
  await takeIn({ body })
  expect(await read(reference)).toMatchObject({
    state: 'open',
    trouble: expect.stringContaining('550 5.1.1'),
  })
  expect((await rows()).find(({ message_id }) => message_id === receipt)).toMatchObject({ state: 'sent' })
})

test('a receipt that comes back later casts doubt on the address', async () => {
  const { reference, receipt } = await answered()
  await takeIn({ body: bounceOf(receipt) })
  expect((await rows()).find(({ message_id }) => message_id === receipt)).toMatchObject({ state: 'failed' })
  expect((await read(reference)).state).toBe('answered')
})

test('all later answers refer to what was said before', async () => {
  const { reference, answers, receipt } = await answered()
  await takeIn({ answers, id: '<question@example.com>' })
  site.advanceClock(MINUTE_MS)
  await answer(reference, { key: crypto.randomUUID() })
  site.advanceClock(MINUTE_MS)
  const sent = (await deliver()).findLast(({ to }) => to === 'ada@example.com')
  expect(sent?.headers).toEqual({
    'In-Reply-To': '<question@example.com>',
    References: `${receipt} ${answers} <question@example.com>`,
  })
})

// Each is sent by somebody who wants a text to appear in a lead that isn't theirs, or to silence it.
const attacks: Record<string, (lead: Awaited<ReturnType<typeof answered>>) => [Fields, Folder?]> = {
  'the reference, from a stranger': ({ reference }) => [
    { from: 'eve@evil.example', subject: `Re: ${reference}` },
  ],
  'a guessed reference': () => [{ subject: 'Re: Q-0000-0000' }],
  'the reference in the text': ({ reference }) => [{ text: `${reference} please` }],
  'the reference of the person in a display name': ({ reference }) => [
    { from: '"ada@example.com" <eve@evil.example>', subject: reference },
  ],
  'the reference with a lookalike address': ({ reference }) => [
    { from: 'ada@example.com.evil.example', subject: reference },
  ],
  'two senders': ({ reference }) => [{ from: 'eve@evil.example, ada@example.com', subject: reference }],
  'no sender': ({ reference }) => [{ from: '', subject: reference }],
  'the Message-ID of another program': () => [{ answers: '<1234@example.com>' }],
  'a Message-ID with the ID of the lead': ({ id }) => [{ answers: `<${id}@evil.example>` }],
  'a Message-ID of a kind that was never sent': ({ id }) => [{ answers: `<${id}.answer@agency.example>` }],
  'a Message-ID at another domain': ({ answers }) => [{ answers: answers.replace(/@.*/, '@evil.example>') }],
  'a Message-ID with a wildcard': () => [{ answers: '<%.answer@agency.example>' }],
  'a forged owner in the inbox': ({ answers }) => [{ from: anna, to: 'ada@example.com', answers }],
  'a forged MAIL_FROM in the inbox': ({ answers }) => [{ from: MAIL_FROM, to: 'ada@example.com', answers }],
  'an owner who writes to somebody else': ({ answers }) => [
    { from: anna, to: 'ben@example.com', answers },
    'sent',
  ],
  'an owner who writes to a colleague about it': ({ reference }) => [
    { from: anna, to: bob, subject: reference },
    'sent',
  ],
  // Its Message-ID was changed.
  'an automatic email in the folder of sent messages': ({ reference: subject }) => [
    { from: MAIL_FROM, to: 'ada@example.com', subject, headers: 'Auto-Submitted: auto-generated' },
    'sent',
  ],
  'a message that pretends to be one of ours': ({ answers }) => [{ id: answers, answers }],
  'a forged report of a bounce without the email': () => [{ body: bounceOf('<1@x>') }],
  'a forged report about a notice': ({ notice }) => [{ body: bounceOf(notice) }],
  'a report that an email is late': ({ answers }) => [{ body: bounceOf(answers, { action: 'delayed' }) }],
}

testOnce.each(Object.entries(attacks))('an email with %s changes no lead', async (_name, attack) => {
  const lead = await answered()
  const other = await submit({ email: 'ben@example.com' })
  const all = async () => {
    const references = [lead.reference, other]
    return [await Promise.all(references.map(read)), await Promise.all(references.map(history))]
  }
  const before = await all()
  await takeIn(...attack(lead))
  expect(await all()).toEqual(before)
})

test('a visitor who writes again without end causes only five more notices a day, and only 200 messages are stored', async () => {
  const { reference, id, answers } = await answered()
  for (let count = 0; count < 7; count++) await takeIn({ answers })
  const stored = site.db.selectFrom('lead_events').selectAll().where('what', '=', 'reply')
  const { id: _, ...reply } = await stored.executeTakeFirstOrThrow()
  const copies = Array.from({ length: 190 }, (_, index) => ({ ...reply, key: `copy ${index}` }))
  await site.db.insertInto('lead_events').values(copies).execute()
  for (let count = 0; count < 5; count++) await takeIn({ answers })
  const notices = (await rows()).filter((row) => row.lead_id === id && row.kind === 'owner_notice')
  expect(notices).toHaveLength(12)
  expect((await whats(reference)).filter((what) => what === 'reply')).toHaveLength(200)
})
