import { expect, test } from 'vitest'
import { markLead } from '../inbox/leads/change-lead.ts'
import type { Message } from '../mail/mailer.ts'
import { testOnce, useTestApp } from '../proof/testing/build-test-app.ts'
import { leadTools, storeLead, storeLeads } from '../proof/testing/leads.ts'
import { OWNERS, reminderTools } from '../proof/testing/reminder-tools.ts'
import { sampleRequest } from '../proof/testing/sample-request.ts'
import { hasRoom, mailBudget } from './mail-budget.ts'
import { createNoticeLists, readListed } from './notice-list.ts'

const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS

const site = useTestApp({ mailTo: OWNERS, emailsADay: 300 })
const { suspect } = leadTools(site)
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

test('a flood from one network, in front of a lead, does not keep the lead out of the next list', async () => {
  await storeLeads(site.db, ...Array(1_001).fill({ client: 'flood', awaits_list: 1 }))
  const lead = await storeLead(site.db, { client: 'other', awaits_list: 1 })
  site.advanceClock(3 * MINUTE_MS)

  const listed = names((await run(1)).find(isList))

  expect([listed.length, listed[0]]).toEqual([1_000, lead.reference])
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

testOnce.each([
  ['a quiet day', { noticed: 0, ofNetwork: 0 }, false, true],
  ['a suspect beyond its share', { noticed: 15, ofNetwork: 0 }, true, false],
  ['another lead of a network, beyond its share', { noticed: 26, ofNetwork: 1 }, false, false],
  ["a network's first lead, from the reserve", { noticed: 36, ofNetwork: 0 }, false, true],
  ["a network's first lead, beyond the reserve", { noticed: 37, ofNetwork: 0 }, false, false],
  ['a network that sent too many', { noticed: 4, ofNetwork: 4 }, false, false],
])(
  'with 300 emails a day and two owners, %s: %j, suspect: %s, has room: %s',
  (_when, noticed, isSuspect, expected) => {
    expect(hasRoom(mailBudget(300, 2), noticed, isSuspect)).toBe(expected)
    expect(hasRoom(mailBudget(0, 2), noticed, isSuspect)).toBe(true)
  },
)

test('a list names a suspect that an owner has cleared as an ordinary lead, and leaves out a finished one', async () => {
  const [reference = ''] = await send('a')
  await suspect(reference)
  const listed = async () =>
    (await readListed(site.db, { references: [reference], at: '' })).map(({ spam }) => spam.isSuspect)
  const mark = (version: number, state: 'open' | 'won') =>
    markLead(site.inboxDeps, { reference, version, who: 'anna@agency.example', state })
  expect(await listed()).toEqual([true])
  await mark(0, 'open')
  expect(await listed()).toEqual([false])
  await mark(1, 'won')
  expect(await listed()).toEqual([])
})
