import { expect, test } from 'vitest'
import type { LeadEvent } from '#shared/inbox/lead.ts'
import { markLead } from '../inbox/leads/change-lead.ts'
import type { Message } from '../mail/mailer.ts'
import { testOnce, useTestApp } from '../proof/testing/build-test-app.ts'
import { leadTools, storeLead, storeLeads } from '../proof/testing/leads.ts'
import { OWNERS, reminderTools } from '../proof/testing/reminder-tools.ts'
import { sampleRequest } from '../proof/testing/sample-request.ts'
import { createNoticeLists, readListed } from './notice-list.ts'

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
    ...{ db: site.db, mailFrom: { address: 'site@agency.example' }, mailTo: OWNERS },
    ...{ now: () => site.clock.now, onQueued: () => {} },
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

test('a flood from one network, in front of a lead, does not keep the lead out of the next list; whoever has no room there is in the one after', async () => {
  await storeLeads(site.db, ...Array(1_001).fill({ client: 'flood', awaits_list: 1 }))
  const lead = await storeLead(site.db, { client: 'other', awaits_list: 1 })
  site.advanceClock(3 * MINUTE_MS)

  const first = names((await run(1)).find(isList))
  const second = names((await run(46)).find(isList))

  expect([first.length, first[0]]).toEqual([1_000, lead.reference])
  expect(new Set([...first, ...second]).size).toBe(1_002)
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

const event = async (reference: string, what: LeadEvent['what'], who: string, text: string) => {
  const { id } = await read(reference)
  const at = site.clock.now.toISOString()
  await site.db.insertInto('lead_events').values({ lead_id: id, at, who, what, text }).execute()
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
})

test('a list says if a message came from another address than the request', async () => {
  const reference = await submit({ email: 'maria@bakery.example' })
  await event(reference, 'reply', 'camille@home.example', 'From my phone')

  const { text } = await newsOf(reference)

  expect(text).toContain('From camille@home.example, not the address of the request')
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
