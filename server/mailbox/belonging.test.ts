import { beforeEach, expect, test } from 'vitest'
import { markLead } from '../inbox/leads/change-lead.ts'
import { readPerson } from '../inbox/reads/person.ts'
import { useTestApp } from '../proof/testing/build-test-app.ts'
import { anna, answerTools, bob, leadTools } from '../proof/testing/leads.ts'
import { type Answered, bounceOf, type Fields, mailboxTools } from '../proof/testing/mailbox.ts'
import type { Folder } from './take-in.ts'

const site = useTestApp({ mailTo: [anna, bob], sendsReceipts: true })
const { read, submit, suspect } = leadTools(site)
const { answer: write } = answerTools(site)
const { deliver, takeIn, answered } = mailboxTools(site)
const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS

const ada = 'ada@example.com'
const adaAtWork = 'ada@work.example'
const mallory = 'mallory@evil.example'
const carl = 'carl@example.com'
const us = 'site@agency.example'
const TO_BOTH = '<to-both@agency.example>'

type Mail = [Fields, Folder?]
/** Ada's conversation with Anna, and that of Mallory, who gave Ada's name. */
type Both = { hers: Answered; his: Answered }
type Row = {
  /** What is in the mailbox before. */
  before?: (both: Both) => Mail[]
  genuine: (both: Both) => Mail
  /** The event in Ada's lead, and the state of her lead. */
  counts: { what: string; who: string; joined: string | null; state: string }
  /** What others can make, or cause somebody to make. It must change nothing at all. */
  forged: Record<string, (both: Both) => Mail>
}

const reply = { what: 'reply', who: ada, state: 'open' }
const answer = { what: 'answered_by_mail', who: anna, state: 'answered' }
const sentToAda = (id: string): Mail => [{ from: anna, to: ada, id, text: 'One more thing.' }, 'sent']
const rewritten = 'Precedence: list\nX-Original-From: Ada <ada@example.com>'

const table: Record<string, Row> = {
  'names a Message-ID that we made': {
    genuine: ({ hers }) => [{ answers: hers.answers }],
    counts: { ...reply, joined: 'ours' },
    forged: {
      'the ID of the lead at another domain': ({ hers }) => [
        { from: mallory, answers: `<${hers.id}@evil.example>` },
      ],
      'an email that was never sent': ({ hers }) => [
        { from: mallory, answers: `<${hers.id}.answer@agency.example>` },
      ],
      'a wildcard': () => [{ from: mallory, answers: '<%@agency.example>' }],
    },
  },
  'names a Message-ID that we made, from an address that is new in the thread': {
    genuine: ({ hers }) => [{ from: adaAtWork, answers: hers.answers }],
    counts: { ...reply, who: adaAtWork, joined: 'ours' },
    forged: {
      'the ID of something else': () => [{ from: adaAtWork, answers: '<something@else.example>' }],
    },
  },
  "names a Message-ID of an owner's email to this person alone": {
    before: () => [sentToAda('<one-more@agency.example>')],
    genuine: () => [{ from: adaAtWork, answers: '<one-more@agency.example>' }],
    counts: { ...reply, who: adaAtWork, joined: 'ours' },
    forged: {},
  },
  "names a Message-ID of an owner's email to this person and to somebody without a lead": {
    before: () => [[{ from: anna, to: `${ada}, ${carl}`, id: '<to-two@agency.example>' }, 'sent']],
    genuine: () => [{ from: carl, answers: '<to-two@agency.example>' }],
    counts: { ...reply, who: carl, joined: 'ours' },
    forged: {},
  },
  "names a Message-ID of an owner's email to the people of several leads": {
    genuine: () => [{ answers: TO_BOTH }],
    counts: { ...reply, joined: 'theirs' },
    forged: {
      'the copy of an owner, in the inbox': () => [{ from: anna, to: ada, answers: TO_BOTH }],
    },
  },
  'names the same, from an address that has only replied': {
    before: ({ hers }) => [[{ from: adaAtWork, answers: hers.answers }]],
    genuine: () => [{ from: adaAtWork, answers: TO_BOTH }],
    counts: { ...reply, who: adaAtWork, joined: 'theirs' },
    forged: {},
  },
  "names the Message-ID of a visitor's message": {
    before: ({ hers, his }) => [
      [{ id: '<question@example.com>', answers: hers.answers }],
      [{ from: mallory, id: '<newsletter@agency.example>', answers: his.receipt }],
      // Mallory has forwarded our email to Vera.
      [{ from: 'vera@example.com', answers: his.receipt, text: 'Who are you?' }],
    ],
    genuine: () => [{ answers: '<question@example.com>' }],
    counts: { ...reply, joined: 'theirs' },
    forged: {
      "somebody's answer to a newsletter whose Message-ID Mallory has used": () => [
        { from: 'vera@example.com', answers: '<newsletter@agency.example>', text: 'Private.' },
      ],
      "Ada's answer to that newsletter": () => [{ answers: '<newsletter@agency.example>', text: 'Private.' }],
      "a stranger who knows Ada's Message-ID": () => [{ from: mallory, answers: '<question@example.com>' }],
    },
  },
  "names the Message-ID of the sender's own message, from an address that isn't the lead's": {
    before: ({ hers }) => [[{ from: adaAtWork, id: '<work@example.com>', answers: hers.answers }]],
    genuine: () => [{ from: adaAtWork, answers: '<work@example.com>' }],
    counts: { ...reply, who: adaAtWork, joined: 'theirs' },
    forged: {
      'somebody else': () => [{ from: 'carl@example.com', answers: '<work@example.com>' }],
      'unknown senders': () => [{ from: `${adaAtWork}, eve@evil.example`, answers: '<work@example.com>' }],
    },
  },
  'has the reference in the subject': {
    genuine: ({ hers }) => [{ subject: `Re: ${hers.reference}`, answers: '<unknown@example.com>' }],
    counts: { ...reply, joined: 'reference' },
    forged: {
      'another address': ({ hers }) => [
        { from: adaAtWork, subject: hers.reference, answers: '<unknown@example.com>' },
      ],
      "Ada's address as a name": ({ hers }) => [
        { from: `"${ada}" <eve@evil.example>`, subject: hers.reference },
      ],
      'a lookalike address': ({ hers }) => [{ from: `${ada}.evil.example`, subject: hers.reference }],
      'two senders': ({ hers }) => [{ from: `eve@evil.example, ${ada}`, subject: hers.reference }],
      'no sender': ({ hers }) => [{ from: '', subject: hers.reference }],
      'Reply-To': ({ hers }) => [
        { from: 'eve@evil.example', headers: `Reply-To: ${ada}`, subject: hers.reference },
      ],
    },
  },
  'comes through a group that has put our address into From': {
    genuine: ({ hers }) => [{ from: us, headers: rewritten, answers: hers.answers }],
    counts: { ...reply, joined: 'ours' },
    forged: {
      'only the reference': ({ hers }) => [{ from: us, headers: rewritten, subject: hers.reference }],
      'a new email': () => [{ from: us, headers: rewritten }],
      "only a visitor's Message-ID": () => [
        { from: us, headers: rewritten, answers: '<question@example.com>' },
      ],
      'an owner behind it': ({ hers }) => [
        { from: us, headers: `X-Original-From: ${bob}\nReply-To: ${anna}`, answers: hers.answers },
      ],
    },
  },
  'comes through a group to which others have replied': {
    genuine: ({ hers }) => [
      { from: 'hello@agency.example', to: ada, headers: rewritten, answers: hers.answers },
    ],
    counts: { ...reply, joined: 'ours' },
    forged: {
      'another domain': ({ hers }) => [
        { from: 'eve@evil.example', headers: rewritten, subject: hers.reference },
      ],
    },
  },
  'a ticket system has sent to a group': {
    genuine: ({ hers }) => [
      { from: us, headers: `${rewritten}\nAuto-Submitted: auto-generated`, answers: hers.answers },
    ],
    counts: { ...reply, what: 'automatic_reply', joined: 'ours', state: 'answered' },
    forged: {},
  },
  'is a new email from the address of a lead': {
    genuine: () => [{ subject: 'Did you get my request?' }],
    counts: { ...reply, joined: 'address' },
    forged: {
      'an answer to something else': () => [{ answers: '<something@else.example>' }],
      'a newsletter': () => [{ headers: 'List-Unsubscribe: <https://example.com/>' }],
      'a vacation notice': () => [{ headers: 'Auto-Submitted: auto-replied' }],
      'what a program sends': () => [{ headers: 'Precedence: bulk' }],
      'two senders': () => [{ from: `${ada}, eve@evil.example` }],
      'a part of the address': () => [{ from: 'da@example.com' }],
    },
  },
  'was sent by an owner to the person': {
    before: ({ hers }) => [[{ answers: hers.answers }]],
    genuine: () => sentToAda('<one-more@agency.example>'),
    counts: { ...answer, joined: 'sent' },
    forged: {
      'the same in the inbox': ({ hers }) => [{ from: anna, to: ada, subject: hers.reference }],
      "an owner's email to a colleague": ({ hers }) => [
        { from: anna, to: bob, subject: hers.reference, answers: hers.notice },
        'sent',
      ],
      "an owner's email to a stranger": ({ hers }) => [
        { from: anna, to: 'supplier@example.com', answers: hers.answers },
        'sent',
      ],
      // Its Message-ID was changed.
      'a copy of our own email': () => [
        { from: us, to: ada, headers: 'Auto-Submitted: auto-generated' },
        'sent',
      ],
    },
  },
  'is from an owner, in the inbox, names a Message-ID that we made, and went to the person': {
    before: ({ hers }) => [[{ answers: hers.answers }]],
    genuine: ({ hers }) => [{ from: anna, to: ada, answers: hers.notice }],
    counts: { ...answer, joined: 'ours' },
    forged: {
      "to Ada, with a Message-ID of Mallory's lead": ({ his }) => [
        { from: anna, to: ada, answers: his.receipt },
      ],
      "to Mallory, with the reference of Ada's lead": ({ hers }) => [
        { from: anna, to: mallory, subject: hers.reference },
      ],
      "to Ada, with a visitor's Message-ID": () => [
        { from: anna, to: ada, answers: '<question@example.com>' },
      ],
      'with our address': () => [{ from: us, to: ada }],
    },
  },
  'reports that an email to the person came back': {
    genuine: ({ hers }) => [{ from: '', body: bounceOf(hers.answers) }],
    counts: { what: 'answer_failed', who: 'server', joined: null, state: 'open' },
    forged: {
      'another recipient': ({ hers }) => [
        { body: bounceOf(hers.answers).replace('rfc822; ada@', 'rfc822; eve@') },
      ],
      'an email that we have not sent': () => [{ body: bounceOf('<1@x>') }],
      'a notice to an owner': ({ hers }) => [
        { body: bounceOf(hers.notice).replace('rfc822; ada@example.com', `rfc822; ${anna}`) },
      ],
      'an email that is only late': ({ hers }) => [{ body: bounceOf(hers.answers, { action: 'delayed' }) }],
      'the reference of another lead': ({ his }) => [
        { body: bounceOf('<1@x>').replace('Subject: Hi', `Subject: ${his.reference}`) },
      ],
    },
  },
  'was written by a program': {
    genuine: ({ hers }) => [{ answers: hers.answers, headers: 'Auto-Submitted: auto-replied' }],
    counts: { ...reply, what: 'automatic_reply', joined: 'ours', state: 'answered' },
    forged: {
      'a program that names nothing': () => [
        { headers: 'Auto-Submitted: auto-generated', answers: '<x@y.example>' },
      ],
    },
  },
}

let both: Both
beforeEach(async () => {
  both = { hers: await answered(), his: await answered({ email: mallory, lastName: 'Lovelace' }) }
  // What an owner sends to the people of several leads is known to each of them.
  await takeIn({ from: anna, to: `${ada}, ${mallory}`, id: TO_BOTH }, 'sent')
})

/** Everything that a message can change. */
const all = async () => ({
  leads: await site.db.selectFrom('leads').selectAll().orderBy('id').execute(),
  events: await site.db.selectFrom('lead_events').selectAll().orderBy('id').execute(),
  emails: await site.db.selectFrom('outbox').selectAll().orderBy('id').execute(),
})

test.each(Object.entries(table))('belongs: a message that %s', async (_name, { before, genuine, counts }) => {
  for (const mail of before?.(both) ?? []) await takeIn(...mail)
  const his = await read(both.his.reference)

  await takeIn(...genuine(both))

  const events = site.db.selectFrom('lead_events').selectAll().where('lead_id', '=', both.hers.id)
  const { what, who, joined } = await events.orderBy('id', 'desc').executeTakeFirstOrThrow()
  const { state } = await read(both.hers.reference)
  expect({ what, who, joined, state }).toEqual(counts)
  expect(await read(both.his.reference)).toEqual(his)
})

const forgeries = Object.entries(table).flatMap(([name, { before, forged }]) =>
  Object.entries(forged).map(([how, mail]) => ({ name, how, before, mail })),
)

test.each(forgeries)(
  'does not belong: a message that $name, but is forged by: $how',
  async ({ before, mail }) => {
    for (const earlier of before?.(both) ?? []) await takeIn(...earlier)
    const unchanged = await all()

    await takeIn(...mail(both))

    expect(await all()).toEqual(unchanged)
  },
)

test.each([
  ['a won lead in which something happened 80 days ago', 'won', 200, 80, 'open'],
  ['a won lead in which nothing has happened for 100 days', 'won', 200, 100, 'won'],
  ['a won lead of the last 90 days', 'won', 80, 80, 'open'],
  ['an open lead, however old', 'open', 200, 100, 'open'],
  ['spam', 'spam', 1, 1, 'spam'],
] as const)('a new email and %s', async (_what, state, age, daysSinceEvent, after) => {
  const { id, reference } = both.hers
  const daysAgo = (days: number) => new Date(site.clock.now.getTime() - days * DAY_MS).toISOString()
  const created = { state, created_at: daysAgo(age) }
  await site.db.updateTable('leads').set(created).where('id', '=', id).execute()
  await site.db
    .updateTable('lead_events')
    .set({ at: daysAgo(daysSinceEvent) })
    .where('lead_id', '=', id)
    .execute()
  const before = await all()

  await takeIn({})

  expect((await read(reference)).state).toBe(after)
  expect((await all()).events).toHaveLength(before.events.length + (after === 'open' ? 1 : 0))
})

test.each<[string, (both: Both) => Mail]>([
  ['in another lead', ({ his }) => [{ from: mallory, answers: his.receipt }]],
  ['in the same lead', ({ hers }) => [{ from: mallory, answers: hers.answers }]],
  ['under the same address', ({ hers }) => [{ answers: hers.answers, text: 'Forged.' }]],
])('a message is stored, although somebody has used its Message-ID before %s', async (_where, earlier) => {
  const id = '<same@example.com>'
  const [fields] = earlier(both)
  await takeIn({ ...fields, id })

  for (const _time of [1, 2]) await takeIn({ answers: both.hers.answers, id, text: 'Genuine.' })

  const genuine = (await all()).events.filter(({ text }) => text === 'Genuine.')
  expect(genuine).toMatchObject([{ lead_id: both.hers.id, who: ada }])
})

test('a new email of somebody with several leads belongs to the newest that nobody suspects', async () => {
  const newer = await answered()
  await suspect(await submit({ email: ada }))

  await takeIn({})

  expect((await read(newer.reference)).state).toBe('open')
  expect((await read(both.hers.reference)).state).toBe('answered')
})

test.each<[string, Mail]>([
  ['a new email', [{ id: '<new@example.com>' }]],
  ["an owner's", sentToAda('<new@example.com>')],
])(
  '%s changes nothing when it is read for the second time, although there is a newer lead',
  async (_what, mail) => {
    await takeIn(...mail)
    await submit({ email: ada })
    const before = await all()

    await takeIn(...mail)

    expect(await all()).toEqual(before)
  },
)

test.each<[string, string, string]>([
  ['the person, who does not wait', ada, 'open'],
  ['the person at another address', adaAtWork, 'open'],
  ['everybody who waits', `${adaAtWork}, carl@example.com`, 'answered'],
  ['a third person, to whom our email was forwarded', 'carl@example.com', 'open'],
])('of two people who wait, an owner has written to %s', async (_whom, to, state) => {
  const { answers, reference } = both.hers
  for (const from of [adaAtWork, 'carl@example.com']) await takeIn({ from, answers })

  await takeIn({ from: anna, to: 'carl@example.com', answers, text: 'Thank you.' }, 'sent')
  await takeIn({ from: 'carl@example.com', answers })
  await takeIn({ from: anna, to, answers, text: 'On Monday.' }, 'sent')

  expect((await read(reference)).state).toBe(state)
  const stored = (await all()).events.filter(({ what }) => what === 'answered_by_mail')
  expect(stored.filter(({ text }) => text !== 'When can you start?')).toHaveLength(2)
})

test('a new email of an owner to somebody who has only replied belongs to that lead', async () => {
  await takeIn({ from: adaAtWork, answers: both.hers.answers })

  await takeIn({ from: anna, to: adaAtWork, text: 'On Monday.' }, 'sent')

  expect((await read(both.hers.reference)).state).toBe('answered')
})

test("who forges a person's name about a lead of their own draws neither an owner's email nor its answer there", async () => {
  const { hers, his } = both
  await takeIn({ from: adaAtWork, answers: his.answers, text: 'Forged.' })

  const id = '<to-two@agency.example>'
  const toTwo = { from: anna, to: `${ada}, ${adaAtWork}`, answers: hers.answers, id, text: 'To you two.' }
  await takeIn(toTwo, 'sent')
  await takeIn({ from: adaAtWork, answers: id, text: 'Honest.' })

  const { events } = await all()
  const leads = (text: string) => events.flatMap((event) => (event.text === text ? [event.lead_id] : []))
  expect(['Forged.', 'To you two.', 'Honest.'].map(leads)).toEqual([[his.id], [hers.id], [hers.id]])
})

test('a message of an unknown sender makes nobody else part of the conversation', async () => {
  await takeIn({ from: '', answers: both.hers.answers })

  await takeIn({ from: anna, to: 'supplier@example.com', answers: both.hers.answers }, 'sent')

  expect((await read(both.hers.reference)).state).toBe('open')
})

test.each([
  ['first', ['inbox', 'sent']],
  ['last', ['sent', 'inbox']],
] as const)(
  "an owner's message, of which the inbox has a changed copy that is read %s, is one answer",
  async (_when, folders) => {
    const { answers, reference } = both.hers
    await takeIn({ answers })
    const copy = { from: anna, to: ada, answers, id: '<by-anna@agency.example>' }
    const texts = { inbox: 'On Monday. (A disclaimer)', sent: 'On Monday.' }
    for (const folder of folders) await takeIn({ ...copy, text: texts[folder] }, folder)
    await takeIn({ answers, text: 'And now?' })

    for (const folder of folders) await takeIn({ ...copy, text: texts[folder] }, folder)

    expect((await read(reference)).state).toBe('open')
    const found = (await all()).events.filter(
      ({ what, joined }) => what === 'answered_by_mail' && joined === 'sent',
    )
    expect(found).toHaveLength(1)
  },
)

test.each([
  ['another owner', `${ada}, ${bob}`, 1],
  ['both addresses of the person', `${ada}, ${adaAtWork}`, 1],
  ['somebody without a lead', `${ada}, ${carl}`, 1],
  ['somebody without a lead as a blind copy', `${ada}\nBcc: ${carl}`, 1],
])(
  "an owner's email to the person and %s proves to whom it has been forwarded: %s %i",
  async (_whom, to, joins) => {
    await takeIn({ from: adaAtWork, answers: both.hers.answers })
    await takeIn({ from: anna, to, answers: both.hers.answers, id: '<by-anna@agency.example>' }, 'sent')
    const before = await all()

    await takeIn({ from: 'forwarded@example.com', answers: '<by-anna@agency.example>' })

    expect((await all()).events).toHaveLength(before.events.length + joins)
  },
)

test("somebody else's answer to an owner's email to several leads joins the newest, and counts as unproven", async () => {
  await takeIn({ from: 'vera@example.com', answers: TO_BOTH, text: 'Count me in.' })

  const stored = (await all()).events.filter(({ text }) => text === 'Count me in.')
  expect(stored).toMatchObject([{ lead_id: both.his.id, who: 'vera@example.com', joined: 'theirs' }])
})

test("what somebody else answers to an owner's email to several leads is for nobody else's eyes", async () => {
  await takeIn({ from: 'vera@example.com', answers: TO_BOTH, text: 'For owners only.' })
  await write(both.his.reference, { key: crypto.randomUUID() })
  site.advanceClock(MINUTE_MS)

  const toMallory = (await deliver()).filter(({ to }) => to === mallory)
  const about = { address: mallory, now: site.clock.now, retentionDays: 0 }
  let stored = ''
  for await (const part of readPerson(site.db, about)) stored += JSON.stringify(part)

  expect(toMallory).toHaveLength(1)
  expect(JSON.stringify(toMallory) + stored).not.toMatch(/For owners only|vera@/)
})

/** Spam that somebody has sent in this person's name, and the Message-ID of what the person got. */
async function spamFrom(email: string) {
  const { reference, answers } = await answered({ email })
  const spam = { state: 'spam', verdict: 'spam', seen_at: null, awaits_list: 0 } as const
  await site.db.updateTable('leads').set(spam).where('reference', '=', reference).execute()
  return { reference, answers }
}

test('what a person answers to spam in her name is in her own lead, but counts as unproven', async () => {
  const { reference, answers } = await spamFrom(ada)
  const spam = await read(reference)

  for (const _time of [1, 2]) await takeIn({ answers, id: '<1@b>', text: 'That was not me.' })

  const stored = (await all()).events.filter(({ text }) => text === 'That was not me.')
  expect(stored).toMatchObject([{ lead_id: both.hers.id, what: 'reply', joined: 'address' }])
  expect(await read(reference)).toEqual(spam)
})

const ABOUT_OLD = '<about-old@agency.example>'
const setSpam = (id: string) =>
  site.db.updateTable('leads').set({ state: 'spam', verdict: 'spam' }).where('id', '=', id).execute()
const meanwhiles: [string, (hers: Answered, newer: string) => [fields: Fields, meanwhile: () => unknown]][] =
  [
    [
      "an owner's email about another lead is shown",
      ({ reference }, newer) => [
        { answers: ABOUT_OLD, subject: `Re: ${newer}` },
        () => takeIn({ from: anna, to: ada, id: ABOUT_OLD, subject: reference }, 'sent'),
      ],
    ],
    ['the lead becomes spam', ({ answers, id }) => [{ answers }, () => setSpam(id)]],
  ]
test.each(meanwhiles)(
  'a message that is read again after %s stays with its lead, another copy does not count as the same',
  async (_what, prepare) => {
    const newer = await submit({ email: ada, message: 'About something else.' })
    const [fields, meanwhile] = prepare(both.hers, newer)
    const again = { ...fields, id: '<1@b>', text: 'I agree.', receivedAt: '2026-03-02T09:00:00.000Z' }
    const leads = async () =>
      (await all()).events.filter(({ text }) => text === 'I agree.').map((event) => event.lead_id)

    await takeIn(again)
    const before = await leads()
    await meanwhile()
    await takeIn(again)
    expect(before).toHaveLength(1)
    expect(await leads()).toEqual(before)

    await takeIn({ ...again, receivedAt: '2026-03-02T09:00:01.000Z' })
    expect(await leads()).toHaveLength(2)
  },
)

test.each<[string, Fields, 'her own lead' | 'the spam']>([
  ['a letter that a group passes on', { from: us, headers: rewritten }, 'her own lead'],
  ['a newsletter', { headers: 'List-Unsubscribe: <https://example.com/>' }, 'the spam'],
  ['an automatic reply', { headers: 'Auto-Submitted: auto-replied' }, 'the spam'],
  ['an email of a ticket system', { headers: 'Auto-Submitted: auto-generated' }, 'the spam'],
])('%s that answers spam in her name joins the right lead', async (_what, fields, where) => {
  const { answers, reference } = await spamFrom(ada)

  await takeIn({ ...fields, answers, text: 'Who is this?' })

  const stored = (await all()).events.filter(({ text }) => text === 'Who is this?')
  const lead = where === 'the spam' ? await read(reference) : both.hers
  expect(stored).toMatchObject([{ lead_id: lead.id }])
})

test('of what somebody writes about spam, the first message after an owner has looked is news', async () => {
  const { reference, answers } = await spamFrom('dora@example.com')
  const look = () =>
    site.db
      .updateTable('leads')
      .set({ seen_at: 'x', awaits_list: 0 })
      .where('reference', '=', reference)
      .execute()
  const write = async () => {
    await takeIn({ from: 'dora@example.com', answers })
    const { state, seen_at, awaits_list } = await read(reference)
    await site.db.updateTable('leads').set({ awaits_list: 0 }).where('reference', '=', reference).execute()
    return { state, isUnread: seen_at === null, awaits_list }
  }
  const unseen = { state: 'spam', isUnread: true, awaits_list: 0 }

  expect(await write()).toEqual(unseen)
  await look()
  expect(await write()).toEqual({ ...unseen, awaits_list: 1 })
  expect(await write()).toEqual(unseen)
  await look()
  expect(await write()).toEqual({ ...unseen, awaits_list: 1 })
})

test('a verdict counts as a look: the first message about spam after it is news', async () => {
  const { reference } = await answered({ email: 'dora@example.com' })
  await takeIn({ from: 'dora@example.com', subject: reference })
  const { version } = await read(reference)
  await markLead(site.inboxDeps, { reference, version, who: anna, state: 'spam' })

  for (const awaits_list of [1, 0]) {
    await takeIn({ from: 'dora@example.com', subject: reference })
    expect(await read(reference)).toMatchObject({ state: 'spam', seen_at: null, awaits_list })
    await site.db.updateTable('leads').set({ awaits_list: 0 }).execute()
  }
})

type Wait = { before: Mail[]; mail: Mail; state: string }
const fromCarl = (at?: string): Mail => [{ from: carl, ...(at && { receivedAt: at }) }]
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
  [
    'the person, before she wrote, and then somebody else',
    {
      before: [fromAda(TEN), fromCarl(NINE), byAnna(ada, NINE)],
      mail: byAnna(carl, ELEVEN),
      state: 'open',
    },
  ],
])("an owner's email answers everybody whose messages came before: it goes to %s", async (_whom, wait) => {
  const { answers, reference } = both.hers
  for (const [fields, folder] of [...wait.before, wait.mail]) await takeIn({ ...fields, answers }, folder)

  expect((await read(reference)).state).toBe(wait.state)
})

test('an email to others does not answer a request that nobody has answered', async () => {
  const reference = await submit({ email: 'dora@example.com' })
  await deliver()
  const [{ message_id: answers } = { message_id: '' }] = await site.db
    .selectFrom('outbox')
    .select('message_id')
    .where('recipient', '=', 'dora@example.com')
    .execute()
  await takeIn({ from: carl, answers })

  await takeIn({ from: anna, to: carl, answers }, 'sent')
  expect((await read(reference)).state).toBe('open')

  await takeIn({ from: anna, to: 'dora@example.com', answers }, 'sent')
  expect((await read(reference)).state).toBe('answered')
})
