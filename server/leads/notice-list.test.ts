import type { Insertable } from 'kysely'
import { expect, test } from 'vitest'
import type { LeadEvent } from '#shared/inbox/lead.ts'
import type { Schema } from '../database/schema.ts'
import { markLead } from '../inbox/leads/change-lead.ts'
import type { Message } from '../mail/mailer.ts'
import { testOnce, useTestApp } from '../proof/testing/build-test-app.ts'
import { leadTools, storeLead, storeLeads } from '../proof/testing/leads.ts'
import { OWNERS, reminderTools } from '../proof/testing/reminder-tools.ts'
import { sampleRequest } from '../proof/testing/sample-request.ts'
import { withoutWords } from './lead-store.ts'
import { createNoticeLists, noticeListEmail, readListed } from './notice-list.ts'

const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS

const site = useTestApp({ mailTo: OWNERS, emailsADay: 300 })
const { read, submit, suspect } = leadTools(site)
const { deliver } = reminderTools(site)

let sent = 0
/** Sends requests from a network, and returns their references. */
async function send(network: string, count = 1): Promise<string[]> {
  const references: string[] = []
  for (let index = 0; index < count; index++) {
    const request = sampleRequest({ message: `Message ${++sent}`, firstName: `From ${network}` })
    references.push((await site.submitLead(request, { client: network })).reference)
  }
  return references
}
const strangers = async (count: number) => {
  const references: string[] = []
  for (let index = 0; index < count; index++) references.push(...(await send(`stranger ${sent}`)))
  return references
}
const list = () =>
  createNoticeLists({
    db: site.db,
    mailFrom: { address: 'site@agency.example' },
    mailTo: OWNERS,
    now: () => site.clock.now,
    onQueued: () => {},
  })()
const isList = ({ messageId }: Message) => messageId.startsWith('<list-')
/** Sends notices for `minutes`, and returns the emails to the first owner. The server sends each minute. */
async function run(minutes: number, everyMinutes = 1) {
  const emails: Message[] = []
  for (let minute = 0; minute < minutes; minute += everyMinutes) {
    await list()
    emails.push(...(await deliver()))
    site.advanceClock(everyMinutes * MINUTE_MS)
  }
  return emails.filter(({ to }) => to === OWNERS[0])
}
const names = (email: Message | undefined) =>
  [...(email?.text.matchAll(/\bQ-\w{4}-\w{4}(?=\))/g) ?? [])].map(String)

test('a lead for which the budget has no room is named in a list to each owner, and counts as delivered', async () => {
  const [first, ...others] = await send('a', 6)
  const emails = await run(5)

  const lists = emails.filter(isList)
  expect(lists.map(({ subject }) => subject)).toEqual([expect.stringMatching(/^2 more requests at/)])
  expect(emails.filter((email) => !isList(email))).toHaveLength(4)
  expect(new Set([...names(lists[0]), ...emails.map(({ subject }) => /Q-\S+/.exec(subject)?.[0])])).toEqual(
    new Set([first, ...others, undefined]),
  )
  expect(lists[0]?.text).toContain('https://agency.example/inbox/Q-')
  const rows = await site.db.selectFrom('outbox').select('state').distinct().orderBy('state').execute()
  expect(rows).toEqual([{ state: 'listed' }, { state: 'sent' }])
})

testOnce(
  'in a flood, every lead is named within an hour, and a day of floods stays within the budget',
  async () => {
    const expected = new Set(await strangers(100))
    const emails = await run(60)
    const named = new Set(
      emails.flatMap((email) => [...names(email), /Q-\S+/.exec(email.subject)?.[0] ?? '']),
    )
    expect([...expected].filter((reference) => !named.has(reference))).toEqual([])

    let total = 2 * emails.length
    for (let hour = 1; hour < 24; hour++) {
      await strangers(10)
      total += 2 * (await run(60, 5)).length
    }
    expect(total).toBeLessThan(200)
  },
)

/** Leads that a stranger keeps in the list: of so many networks, or so old that theirs are forgotten. */
const flood = (networks: number | null, changes = {}) =>
  Array.from({ length: 1_100 }, (_, index) => ({
    client: networks === null ? null : `network ${index % networks}`,
    awaits_list: 1 as const,
    ...changes,
  }))
const old = { client: null, awaits_list: 1 as const }
const fresh = { client: 'honest', awaits_list: 1 as const }
const listedAt = (day: number) => ({ listed_at: `2026-02-0${day}T14:00:00.000Z` })

testOnce.each([
  ['1,100 leads of one network', 'a new lead', flood(1), fresh],
  ['1,100 leads of eleven networks', 'a reply to an old lead', flood(11), old],
  ['1,100 leads of eleven networks', 'an old lead that was named', flood(11), { ...old, ...listedAt(2) }],
  ['1,100 leads of eleven networks', 'a new suspect', flood(11), { ...fresh, spam_score: 12 }],
  ['messages about 1,100 old leads', 'a new lead', flood(null), fresh],
  [
    '1,100 leads of eleven networks, with forged answers',
    'a new lead',
    flood(11, { answered_at: '2026-03-02T14:00:00.000Z' }),
    fresh,
  ],
  [
    'messages about 1,100 leads of eleven networks that were named',
    'a new lead of one of these networks',
    flood(11, listedAt(1)),
    { ...fresh, client: 'network 3' },
  ],
  [
    'messages about 1,100 old leads that were named',
    'an old lead that was not',
    flood(null, listedAt(1)),
    old,
  ],
  [
    'messages about 1,100 old leads that were named',
    'one that was named earlier',
    flood(null, listedAt(2)),
    { ...old, ...listedAt(1) },
  ],
])('%s do not keep %s out of the next list', async (_strangers, _who, strangers, honest) => {
  await storeLeads(site.db, ...strangers)
  const lead = await storeLead(site.db, honest)

  const list = names((await run(1)).find(isList))

  expect(list).toContain(lead.reference)
})

test('who has no room in a list is in the next one, even if strangers write about all others again', async () => {
  const strangers = await storeLeads(site.db, ...flood(null))
  const lead = await storeLead(site.db, old)
  const first = names((await run(1)).find(isList))
  await site.db.updateTable('leads').set({ awaits_list: 1 }).execute()
  const second = names((await run(46)).find(isList))

  expect([first.length, second.length]).toEqual([1_000, 1_000])
  expect(second).toContain(lead.reference)
  expect(new Set([...first, ...second]).size).toBe(strangers.length + 1)
})

test('lists come at most every 45 minutes, even if the clock is set back, and a time from the future is ignored', async () => {
  await send('a', 6)
  expect((await run(5)).filter(isList)).toHaveLength(1)
  await send('b', 6)
  expect((await run(35)).filter(isList)).toHaveLength(0)
  expect((await run(15)).filter(isList)).toHaveLength(1)

  site.advanceClock(-DAY_MS)
  await send('c', 6)
  expect((await run(5)).filter(isList)).toHaveLength(1)
})

test('a list names a suspect that an owner has cleared as an ordinary lead, and leaves out a finished one', async () => {
  const [reference = ''] = await send('a')
  await suspect(reference)
  const listed = async () =>
    (await readListed(site.db, { references: [reference], at: '' })).map(({ lead }) => lead.spam.isSuspect)
  const mark = (version: number, state: 'open' | 'won') =>
    markLead(site.inboxDeps, { reference, version, who: 'anna@agency.example', state })
  expect(await listed()).toEqual([true])
  await mark(0, 'open')
  expect(await listed()).toEqual([false])
  await mark(1, 'won')
  expect(await listed()).toEqual([])
})

type Event = Partial<Insertable<Schema['lead_events']>>
const event = async (
  reference: string,
  what: LeadEvent['what'],
  who: string,
  text: string,
  more: Event = {},
) => {
  const { id } = await read(reference)
  const at = site.clock.now.toISOString()
  await site.db
    .insertInto('lead_events')
    .values({ lead_id: id, at, who, what, text, ...more })
    .execute()
}
const newsOf = async (reference: string) => {
  await site.db.updateTable('leads').set({ awaits_list: 1 }).where('reference', '=', reference).execute()
  const [list] = (await run(46)).filter(isList)
  return { subject: list?.subject, text: list?.text.replace(/\n */g, ' ') }
}

test('a list says who wrote again, and how the newest message begins', async () => {
  const reference = await submit({ firstName: 'Maria', lastName: 'Lopez', email: 'Maria@bakery.example' })
  await event(reference, 'reply', 'maria@bakery.example', 'First question')
  await event(reference, 'reply', 'maria@bakery.example', `We want to\ngo ahead. ${'x'.repeat(200)}`)

  const { subject, text } = await newsOf(reference)

  expect(subject).toMatch(/^1 more reply at/)
  expect(text).toMatch(/- Maria Lopez, .* wrote again .*Q-.*“We want to go ahead. x{100,150}…”/)
  expect(text).not.toContain('First question')
  expect(text).toContain('And 1 more message')
  expect(text).toContain('This email names what got no email of its own.')
})

test('a list names each sender since the last answer with the newest words, the person of the request first', async () => {
  const reference = await submit({ firstName: 'Ada', lastName: 'Lovelace', email: 'Ada@example.com' })
  await event(reference, 'reply', 'old@example.com', 'Answered')
  await event(reference, 'answer', OWNERS[0] ?? '', 'An answer')
  await event(reference, 'reply', 'ada@example.com', 'Honest words', { joined: 'ours' })
  await event(reference, 'reply', 'camille@example.com', 'Her colleague', { joined: 'ours' })
  for (const forger of [1, 2, 3, 4])
    await event(reference, 'reply', `forger${forger}@example.com`, `Lie ${forger}`, { joined: 'reference' })
  await event(reference, 'reply', 'ada@example.com', 'In her name', { joined: 'address' })

  const { subject, text } = await newsOf(reference)

  const quoted = [...(text?.matchAll(/“(.*?)”/g) ?? [])].map(([, words]) => words)
  expect(quoted).toEqual(['Honest words', 'In her name', 'Her colleague', 'Lie 4', 'Lie 3'])
  expect(text?.match(/Ada Lovelace.*? wrote again/g)).toHaveLength(2)
  expect(text?.match(/A message about the request of Ada Lovelace/g)).toHaveLength(3)
  expect(text?.match(/And 2 more senders/g)).toHaveLength(1)
  expect(subject).toMatch(/^5 more replies at/)
})

test('of an unread lead, a list quotes the newest message, also if a program has passed it on', async () => {
  const reference = await submit({ email: 'ada@example.com' })
  await event(reference, 'reply', 'ada@example.com', 'First')
  await event(reference, 'automatic_reply', 'ada@example.com', 'Second')

  const { text } = await newsOf(reference)

  expect(text).toContain('“Second”')
  expect(text).not.toContain('“First”')
})

test('a list reads only the newest events of a lead with a flood of messages', async () => {
  const reference = await submit({ email: 'ada@example.com' })
  const { id } = await read(reference)
  const at = site.clock.now.toISOString()
  const flood = Array.from({ length: 1_200 }, (_, index) => ({
    lead_id: id,
    at,
    who: 'flood@example.com',
    what: 'reply' as const,
    text: `Flood ${index}`,
  }))
  await site.db.insertInto('lead_events').values(flood).execute()

  expect((await newsOf(reference)).text).toMatch(/And 999 more messages.*“Flood 1199”/)
})

test('between two leads of a list, the server can answer a request', async () => {
  const leads = await storeLeads(site.db, ...Array(50).fill({}))
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
  const leads = await storeLeads(site.db, ...Array(400).fill({}))
  const references = leads.map(({ reference }) => reference)
  for (const sender of [1, 2, 3]) await event(references[0] ?? '', 'reply', `${sender}@example.com`, 'Hello')

  const [news] = await readListed(site.db, { references, at: '' })

  expect([news?.writings.length, news?.unnamed]).toEqual([2, 1])
})

test('after the mail server has refused the words, a list still says whether the person or somebody else has written', async () => {
  const reference = await submit({ email: 'ada@example.com' })
  await event(reference, 'reply', 'ada@example.com', 'Refused')
  await event(reference, 'reply', '', 'Refused, too')
  const content = { references: [reference], at: site.clock.now.toISOString() }
  const news = (await readListed(site.db, content)).map((one) => ({ ...one, lead: withoutWords(one.lead) }))
  const email = { recipient: OWNERS[0] ?? '', messageId: '<l@agency.example>' }
  const mailFrom = { address: 'site@agency.example' }

  const { text } = noticeListEmail(news, content, email, {
    ...{ mailFrom, siteUrl: 'https://agency.example', hasInbox: true },
  })

  expect(text).toMatch(/- A visitor wrote again\n(?:.*\n)*- A message about the request of a visitor/)
  expect(text).not.toContain('Refused')
})

test('a list begins with a lead that was answered; new leads come before old ones and others of their networks, and suspects last', async () => {
  const leads = await storeLeads(
    site.db,
    { client: null, spam_score: 12, awaits_list: 1 },
    { client: null, awaits_list: 1 },
    { client: 'busy', awaits_list: 1 },
    { client: 'busy', awaits_list: 1 },
    { client: 'small', awaits_list: 1 },
    { client: null, awaits_list: 1, answered_at: '2026-03-02T14:00:00.000Z' },
  )
  const order = [5, 2, 4, 1, 3, 0].map((index) => leads[index]?.reference)

  expect(names((await run(1)).find(isList))).toEqual(order)
})

test.each([
  ['camille@home.example', 'camille@home.example'],
  ['', 'an unknown address'],
])('a list says if a message came from another address than the request: "%s"', async (who, shown) => {
  const reference = await submit({ email: 'maria@bakery.example' })
  await event(reference, 'reply', who, 'From my phone')

  const { text } = await newsOf(reference)

  expect(text).toContain(`From ${shown}, not the address of the request`)
  expect(text).not.toContain('wrote again')
})

test.each<
  [string, { what: LeadEvent['what']; state?: 'answered' | 'spam'; isSeen?: boolean }, RegExp | undefined]
>([
  [
    'an unread message of a ticket system',
    { what: 'automatic_reply' },
    /wrote again Not read yet .*“Yes, please”/,
  ],
  ['one that has been read', { what: 'automatic_reply', isSeen: true }, undefined],
  ['one in spam', { what: 'automatic_reply', state: 'spam' }, undefined],
])('of an answered lead, a list names %s', async (_what, { what, state = 'answered', isSeen }, expected) => {
  const reference = await submit()
  const set = { state, seen_at: isSeen ? site.clock.now.toISOString() : null }
  await site.db.updateTable('leads').set(set).where('reference', '=', reference).execute()
  await event(reference, what, 'ada@example.com', 'Yes, please')

  const { text } = await newsOf(reference)

  if (expected) expect(text).toMatch(expected)
  else expect(text).toBeUndefined()
})

test('a message that an owner has answered is no news', async () => {
  const reference = await submit({ email: 'ada@example.com' })
  await event(reference, 'reply', 'ada@example.com', 'A question')
  await event(reference, 'answer', OWNERS[0] ?? '', 'An answer')

  expect((await newsOf(reference)).subject).toMatch(/^1 more request at/)
})

test.each<[string, [LeadEvent['what'], Event][]]>([
  [
    'a state',
    [
      ['state', { to_value: 'won' }],
      ['note', {}],
      ['undone', { to_value: 'open' }],
    ],
  ],
  [
    'an answer',
    [
      ['answer', { key: 'a' }],
      ['answer_undone', { key: 'undo a' }],
    ],
  ],
])('if an owner has undone %s, a message from before it is news again', async (_what, events) => {
  const reference = await submit({ email: 'ada@example.com' })
  await event(reference, 'reply', 'ada@example.com', 'A question')
  for (const [what, more] of events) await event(reference, what, OWNERS[0] ?? '', '', more)

  expect((await newsOf(reference)).text).toContain('“A question”')
})

test('a change that was not undone is an answer, even if a later one was undone', async () => {
  const reference = await submit({ email: 'ada@example.com' })
  await event(reference, 'reply', 'ada@example.com', 'A question')
  for (const [what, to_value] of [
    ['state', 'answered'],
    ['state', 'won'],
    ['undone', 'answered'],
  ] as const)
    await event(reference, what, OWNERS[0] ?? '', '', { to_value })

  expect((await newsOf(reference)).text).not.toContain('A question')
})
