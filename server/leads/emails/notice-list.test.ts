import type { Insertable } from 'kysely'
import { expect, test } from 'vitest'
import type { Joined, Schema } from '../../database/schema.ts'
import type { Message } from '../../mail/mailer.ts'
import { testOnce, useTestApp } from '../../proof/testing/build-test-app.ts'
import { anna, leadTools, storeLead, storeLeads } from '../../proof/testing/leads.ts'
import { OWNERS, reminderTools } from '../../proof/testing/reminder-tools.ts'
import { markLead } from '../change/mark-lead.ts'
import { withoutWords } from '../lead-store.ts'
import { createNoticeLists } from './notice-list.ts'
import { noticeListEmail, readListed } from './notice-list-email.ts'

const MINUTE_MS = 60_000

const site = useTestApp({ mailTo: OWNERS, emailsADay: 300 })
const { read, submit, suspect } = leadTools(site)
const { deliver } = reminderTools(site)

const mailFrom = { address: 'site@agency.example' }
const list = () => createNoticeLists(site.context)()
const isList = ({ messageId }: Message) => messageId.startsWith('<list-')
const names = (email: Message | undefined) =>
  [...(email?.text.matchAll(/\bQ-\w{4}-\w{4}(?=\))/g) ?? [])].map(String)
/**
 * Queues a list, and returns the references in it. Deletes it, because sending a long one would
 * take long.
 */
async function nextList(): Promise<string[]> {
  await list()
  const [queued] = await site.db
    .deleteFrom('outbox')
    .where('kind', '=', 'notice_list')
    .returning('content')
    .execute()
  return JSON.parse(String(queued?.content)).references
}

test('a lead for which the budget has no room is named in a list to each owner, and counts as delivered', async () => {
  const references: string[] = []
  for (let sent = 0; sent < 6; sent++) references.push(await submit())
  await site.db.updateTable('leads').set({ seen_at: 'x' }).execute()
  const notices = await deliver()
  // They look unread until an owner opens them.
  const unread = site.db.selectFrom('leads').select('id').where('seen_at', 'is', null)
  expect(await unread.execute()).toHaveLength(2)
  await list()
  const lists = await deliver()

  expect(notices).toHaveLength(4 * OWNERS.length)
  expect(lists.map(({ to, subject }) => [to, subject])).toEqual(
    OWNERS.map((owner) => [owner, '2 more requests at agency.example']),
  )
  expect(new Set([...names(lists[0]), ...notices.map(({ subject }) => /Q-\S+/.exec(subject)?.[0])])).toEqual(
    new Set(references),
  )
  expect(lists[0]?.text).toContain('https://agency.example/inbox/Q-')
  const rows = await site.db.selectFrom('outbox').select('state').distinct().orderBy('state').execute()
  expect(rows).toEqual([{ state: 'listed' }, { state: 'sent' }])
})

/**
 * Leads that a stranger keeps in the list: of so many networks, or so old that theirs are
 * forgotten.
 */
const flood = (networks: number | null, changes = {}) =>
  Array.from({ length: 1_100 }, (_, index) => ({
    client: networks === null ? null : `network ${index % networks}`,
    awaits_list: 1 as const,
    ...changes,
  }))
const old = { client: null, awaits_list: 1 as const }
const fresh = { client: 'honest', awaits_list: 1 as const }
const listedAt = (day: number) => ({ listed_at: `2026-02-0${day}T14:00:00.000Z` })
const answered = { answered_at: '2026-03-02T14:00:00.000Z' }

testOnce.each([
  [
    '1,100 leads of eleven networks, with forged answers',
    'a new lead, a suspect, a reply to an old lead, or one to an old lead that was named',
    flood(11, answered),
    [fresh, { ...fresh, client: 'other', spam_score: 12 }, old, { ...old, ...listedAt(2) }],
  ],
  ['messages about 1,100 old leads', 'a new lead', flood(null), [fresh]],
  [
    'messages about 1,100 leads of eleven networks that were named',
    'a new lead of one of these networks',
    flood(11, listedAt(1)),
    [{ ...fresh, client: 'network 3' }],
  ],
  [
    'messages about 1,100 old leads that were named',
    'an old lead that was not, or one that was named earlier',
    flood(null, listedAt(2)),
    [old, { ...old, ...listedAt(1) }],
  ],
])('%s do not keep %s out of the next list', async (_strangers, _who, strangers, honest) => {
  await storeLeads(site.db, ...strangers)
  const leads = await storeLeads(site.db, ...honest)

  expect(await nextList()).toEqual(expect.arrayContaining(leads.map(({ reference }) => reference)))
})

test('who has no room in a list is in the next one, even if strangers write about all others again', async () => {
  const strangers = await storeLeads(site.db, ...flood(null))
  const lead = await storeLead(site.db, old)
  const first = await nextList()
  await site.db.updateTable('leads').set({ awaits_list: 1 }).where('reference', 'in', first).execute()
  site.advanceClock(45 * MINUTE_MS)
  const second = await nextList()

  expect([first.length, second.length]).toEqual([1_000, 1_000])
  expect(second).toContain(lead.reference)
  expect(new Set([...first, ...second]).size).toBe(strangers.length + 1)
})

test.each([
  [[0, 1, 43], [0]],
  [
    [0, 45, 44, 1],
    [0, 1, 3],
  ],
  // The clock is set back.
  [
    [0, -24 * 60, 1, 44],
    [0, 1, 3],
  ],
])(
  'lists come at most every 45 minutes: with pauses of %j minutes, these come: %j',
  async (minutes, expected) => {
    const lists: number[] = []
    for (const [index, after] of minutes.entries()) {
      site.advanceClock(after * MINUTE_MS)
      await storeLead(site.db, fresh)
      await list()
      if ((await deliver()).length > 0) lists.push(index)
    }

    expect(lists).toEqual(expected)
  },
)

test('a list names a suspect that an owner has cleared as an ordinary lead, and leaves out a finished one', async () => {
  const reference = await submit()
  await suspect(reference)
  const listed = async () =>
    (await readListed(site.db, { references: [reference], at: '' })).map(({ lead }) => lead.spam.isSuspect)
  const mark = (version: number, state: 'open' | 'answered') =>
    markLead(site.inboxDeps, { reference, version, who: 'anna@agency.example', state })
  expect(await listed()).toEqual([true])
  await mark(0, 'open')
  expect(await listed()).toEqual([false])
  await mark(1, 'answered')
  expect(await listed()).toEqual([])
})

test('a list begins with a lead that was answered; new leads come before old ones and others of their networks, and suspects last', async () => {
  const leads = await storeLeads(
    site.db,
    { ...old, spam_score: 12 },
    old,
    { ...fresh, client: 'busy' },
    { ...fresh, client: 'busy' },
    fresh,
    { ...old, ...answered },
  )
  const order = [5, 2, 4, 1, 3, 0].map((index) => leads[index]?.reference)

  await list()

  expect(names((await deliver())[0])).toEqual(order)
})

type Event = Pick<Insertable<Schema['lead_events']>, 'what' | 'who' | 'text' | 'joined' | 'key' | 'to_value'>
const reply = (who: string, text: string, joined: Joined | null = null): Event => ({
  what: 'reply',
  who,
  text,
  joined,
})
const ticket = (text: string): Event => ({ what: 'automatic_reply', who: 'ada@example.com', text })
const byOwner = (what: Event['what'], more: Partial<Event> = {}): Event => ({
  what,
  who: anna,
  text: '',
  ...more,
})
/** Adds to the history of a lead. */
async function happen(reference: string, events: Event[]) {
  const { id } = await read(reference)
  const at = site.clock.now.toISOString()
  await site.db
    .insertInto('lead_events')
    .values(events.map((event) => ({ lead_id: id, at, ...event })))
    .execute()
}
type Fields = { state?: 'answered' | 'spam'; seen_at?: string; verdict?: 'spam' }
/** What the next list says about a lead. */
async function newsOf(reference: string, fields: Fields = {}) {
  const set = { awaits_list: 1 as const, ...fields }
  await site.db.updateTable('leads').set(set).where('reference', '=', reference).execute()
  await list()
  const email = (await deliver()).find(isList)
  const text = email?.text.replace(/\n */g, ' ')
  return { subject: email?.subject, text, quoted: text?.match(/(?<=“).*?(?=”)/g) ?? [] }
}

test('a list says who wrote again, and how the newest message begins', async () => {
  const reference = await submit({ firstName: 'Maria', lastName: 'Lopez', email: 'Maria@bakery.example' })
  await happen(reference, [
    reply('maria@bakery.example', 'First question'),
    reply('maria@bakery.example', `We want to\ngo ahead. ${'x'.repeat(200)}`),
  ])

  const { subject, text } = await newsOf(reference)

  expect(subject).toMatch(/^1 more reply at/)
  expect(text).toMatch(/- Maria Lopez, .* wrote again .*Q-.*“We want to go ahead. x{100,150}…”/)
  expect(text).not.toContain('First question')
  expect(text).toContain('” and 1 message before it')
  expect(text).toContain('This email names what got no email of its own.')
})

test('a list names each sender since the last answer with the newest words, the person of the request first', async () => {
  const reference = await submit({ firstName: 'Ada', lastName: 'Lovelace', email: 'Ada@example.com' })
  await happen(reference, [
    reply('old@example.com', 'Answered'),
    byOwner('answer'),
    reply('ada@example.com', 'Honest words', 'ours'),
    reply('camille@example.com', 'Her colleague', 'ours'),
    ...[1, 2, 3].map((forger) => reply(`forger${forger}@example.com`, `Lie ${forger}`, 'reference')),
    reply('', 'Lie 4', 'reference'),
    reply('ada@example.com', 'In her name', 'address'),
  ])

  const { subject, text, quoted } = await newsOf(reference)

  expect(quoted).toEqual(['Honest words', 'In her name', 'Her colleague', 'Lie 4', 'Lie 3'])
  expect(text?.match(/Ada Lovelace.*? wrote again/g)).toHaveLength(2)
  expect(text?.match(/A message about the request of Ada Lovelace/g)).toHaveLength(3)
  for (const sender of ['camille@example.com', 'an unknown address'])
    expect(text).toContain(`From ${sender}, not the address of the request`)
  expect(text?.match(/And 2 more senders/g)).toHaveLength(1)
  expect(subject).toMatch(/^5 more replies at/)
})

const question = reply('ada@example.com', 'A question')
const spam = { state: 'spam', verdict: 'spam' } as const
const standing = { open: 'Reply promised by ', answered: 'Not read yet (Q-', spam: 'Marked as spam (Q-' }

test.each<[string, Fields, Event[], string[]]>([
  ['the newest message of an unread lead', {}, [question, ticket('Passed on')], ['Passed on']],
  ['an unread message of a ticket system', { state: 'answered' }, [ticket('Yes')], ['Yes']],
  ['none that was read', { state: 'answered', seen_at: 'x' }, [ticket('Yes')], []],
  ['none in spam', { state: 'spam' }, [ticket('Yes')], []],
  ['a new one in spam', spam, [byOwner('verdict'), ticket('No!')], ['No!']],
  [
    'none in spam that was judged again',
    { state: 'spam' },
    [byOwner('verdict'), ticket('No!'), byOwner('verdict')],
    [],
  ],
  ['no reply in spam', { state: 'spam' }, [byOwner('verdict'), question], []],
  [
    'only what came after "nothing to answer"',
    {},
    [reply('camille@example.com', 'Thanks!'), byOwner('nothing_to_answer', { to_value: 'open' }), question],
    ['A question'],
  ],
  ['none that was answered', {}, [question, byOwner('answer')], []],
  [
    'one from before a state that was undone',
    {},
    [question, byOwner('state', { to_value: 'won' }), byOwner('note'), byOwner('undone')],
    ['A question'],
  ],
  [
    'one from before an answer that was undone',
    {},
    [question, byOwner('answer', { key: 'a' }), byOwner('answer_undone', { key: 'undo a' })],
    ['A question'],
  ],
  [
    'none from before a change of which only the next was undone',
    {},
    [question, ...['state', 'state', 'undone'].map((what) => byOwner(what as Event['what']))],
    [],
  ],
])('of the messages about a lead, a list quotes %s', async (_which, fields, events, expected) => {
  const reference = await submit({ email: 'ada@example.com' })
  await happen(reference, events)

  const { quoted, text } = await newsOf(reference, fields)
  expect(quoted).toEqual(expected)
  if (expected.length > 0) expect(text).toContain(standing[fields.state ?? 'open'])
})

test('a list reads only the newest events of a lead with a flood of messages', async () => {
  const reference = await submit({ email: 'ada@example.com' })
  await happen(
    reference,
    Array.from({ length: 1_200 }, (_, index) => reply('flood@example.com', `Flood ${index}`)),
  )

  expect((await newsOf(reference)).text).toMatch(/“Flood 1199” and 999 messages before it/)
})

test('between two leads of a list, the server can answer a request', async () => {
  const leads = await storeLeads(site.db, ...Array(10).fill({}))
  let turns = 0
  let isReading = true
  const turn = () => {
    turns++
    if (isReading) setImmediate(turn)
  }
  setImmediate(turn)
  await readListed(site.db, { references: leads.map(({ reference }) => reference), at: '' })
  isReading = false

  expect(turns).toBeGreaterThanOrEqual(leads.length)
})

test('a long list names fewer senders of each lead', async () => {
  const reference = await submit()
  await happen(
    reference,
    [1, 2, 3].map((sender) => reply(`${sender}@example.com`, 'Hello')),
  )

  const [news] = await readListed(site.db, { references: [reference, ...Array(399).fill('erased')], at: '' })

  expect([news?.writings.length, news?.unnamed]).toEqual([2, 1])
})

test('after the mail server has refused the words, a list still says whether the person or somebody else has written', async () => {
  const reference = await submit({ email: 'ada@example.com' })
  await happen(reference, [reply('ada@example.com', 'Refused'), reply('', 'Refused, too')])
  const content = { references: [reference], at: site.clock.now.toISOString() }
  const news = (await readListed(site.db, content)).map((one) => ({ ...one, lead: withoutWords(one.lead) }))
  const email = { recipient: anna, messageId: '<l@agency.example>' }

  const { text } = noticeListEmail(news, content, email, {
    mailFrom,
    siteUrl: 'https://agency.example',
    hasInbox: true,
  })

  expect(text).toMatch(/- A visitor wrote again\n(?:.*\n)*- A message about the request of a visitor/)
  expect(text).not.toContain('Refused')
})
