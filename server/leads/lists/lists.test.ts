import { expect, test } from 'vitest'
import { type LeadView, PAGE_SIZE } from '#shared/inbox/lead.ts'
import { type LeadFilter, readLeads } from '../../inbox/export-leads.ts'
import { enqueue } from '../../outbox/email.ts'
import { testOnce, useTestApp } from '../../proof/testing/build-test-app.ts'
import { atOffice, storeLead, storeLeads } from '../../proof/testing/leads.ts'
import { claimEmail } from '../../proof/testing/outbox.ts'
import { listLeads, readCursor } from './lists.ts'
import { searchLeads } from './search-leads.ts'

// Monday, 10:00 at the office.
const now = '2026-03-02T15:00:00.000Z'

// Limits the loop in case a cursor leads back to an earlier page.
const MAX_PAGES = 5

const site = useTestApp()

const store = (reference: string, changes: Parameters<typeof storeLead>[1]) =>
  storeLead(site.db, { reference, ...changes })

/** The references of the leads in a view, page by page. */
async function readAll(view: LeadView, at = now) {
  const pages: string[][] = []
  for (let next: string | undefined | null; next !== null && pages.length < MAX_PAGES; ) {
    const page = await listLeads(site.db, { view, after: readCursor(next), now: new Date(at) })
    pages.push(page.leads.map(({ reference }) => reference))
    next = page.next
  }
  return pages
}

test('open leads are sorted: failed answers first, then due follow-ups, then the rest by due time, with older leads first on a tie', async () => {
  await store('due later', { due_at: '2026-03-02T19:00:00.000Z' })
  await store('due first', { due_at: '2026-03-02T16:00:00.000Z' })
  await store('same due time, younger', { due_at: '2026-03-02T19:00:00.000Z' })
  await store('replied', { due_at: '2026-03-02T17:00:00.000Z', replied_at: now })
  await store('follow-up at 9:00', { follow_up_at: '2026-03-02T14:00:00.000Z' })
  await store('follow-up at 8:30', { follow_up_at: '2026-03-02T13:30:00.000Z', replied_at: now })
  await store('trouble', { trouble: 'no such mailbox' })

  expect(await readAll('open')).toEqual([
    [
      'trouble',
      ...['follow-up at 8:30', 'follow-up at 9:00'],
      ...['due first', 'replied', 'due later', 'same due time, younger'],
    ],
  ])
})

test('apart from the list of all leads, every lead is in one list, and an open one with a result also in its list', async () => {
  await store('open', {})
  await store('suspect', { spam_score: 10 })
  await store('honest', { spam_score: 10, verdict: 'honest' })
  for (const state of ['answered', 'spam'] as const) await store(state, { state })
  for (const result of ['won', 'lost'] as const) await store(result, { state: 'answered', result })
  await store('wrote again', { result: 'won' })
  await store('next week', { follow_up_at: '2026-03-09T14:00:00.000Z' })
  await store('tomorrow', { follow_up_at: '2026-03-03T14:00:00.000Z', state: 'answered', result: 'lost' })

  const lists = {
    open: ['open', 'honest', 'wrote again'],
    suspects: ['suspect'],
    later: ['tomorrow', 'next week'],
    answered: ['answered'],
    won: ['wrote again', 'won'],
    lost: ['tomorrow', 'lost'],
    spam: ['spam'],
  }
  for (const [view, references] of Object.entries(lists))
    expect(await readAll(view as LeadView), view).toEqual([references])
})

test('a lead is in its list even if a replica of an earlier version has changed it', async () => {
  await store('one', { state: 'spam' })
  for (const [state, spam_score, verdict, result, view] of [
    ['open', 12, null, null, 'suspects'],
    ['open', 12, 'honest', null, 'open'],
    ['answered', 0, null, null, 'answered'],
    ['answered', 12, null, 'lost', 'lost'],
  ] as const) {
    await site.db.updateTable('leads').set({ state, spam_score, verdict, result }).execute()
    expect(await readAll(view), view).toEqual([['one']])
  }
})

test('a lead returns to the open list at the time of its follow-up, even if it was answered', async () => {
  await store('follow-up', { follow_up_at: atOffice('2026-03-03T14:00').toISOString(), state: 'answered' })
  const [before, after] = ['2026-03-03T13:59:59.999', '2026-03-03T14:00:00.001'].map((wall) =>
    atOffice(wall).toISOString(),
  )

  expect([await readAll('open', before), await readAll('later', before)]).toEqual([[[]], [['follow-up']]])
  expect([await readAll('open', after), await readAll('later', after)]).toEqual([[['follow-up']], [[]]])
})

test('closed leads are sorted by their last change, and all other lists by arrival, newest first', async () => {
  const times = ['2026-03-02T12:00:00.000Z', '2026-03-02T13:00:00.000Z', '2026-03-02T14:00:00.000Z']
  const created_at = '2026-03-01T12:00:00.000Z'
  for (const [index, time] of times.entries())
    await store(`answered ${index}`, { state: 'answered', created_at, sort_key: time })
  for (const [index, time] of times.entries())
    await store(`won ${index}`, { state: 'answered', result: 'won', created_at: time, sort_key: created_at })
  for (const [index, time] of times.entries())
    await store(`suspect ${index}`, { spam_score: 10, created_at: time })

  const newestFirst = (name: string) => [2, 1, 0].map((index) => `${name} ${index}`)
  expect(await readAll('answered')).toEqual([newestFirst('answered')])
  expect(await readAll('won')).toEqual([newestFirst('won')])
  expect(await readAll('suspects')).toEqual([newestFirst('suspect')])
  const all = (await readAll('all')).flat()
  const byArrival = [0, 2, 4].map((index) => all.slice(index, index + 2).toSorted())
  expect(byArrival).toEqual([2, 1, 0].map((index) => [`suspect ${index}`, `won ${index}`]))
})

test.each(['open', 'won', 'all'] as const)(
  'the pages of %s leads list each lead once, even if all have the same time',
  async (view) => {
    const row = view === 'won' ? ({ state: 'answered', result: 'won' } as const) : {}
    // The last page may be full.
    const lengths = view === 'won' ? [PAGE_SIZE, PAGE_SIZE] : [PAGE_SIZE, PAGE_SIZE, 1]
    const references = lengths.flatMap((length, page) =>
      Array.from({ length }, (_, index) => `Q-${1000 + page * PAGE_SIZE + index}`),
    )
    await storeLeads(site.db, ...references.map((reference) => ({ reference, ...row })))

    const pages = await readAll(view)

    expect(pages.map((page) => page.length)).toEqual(lengths)
    expect(pages.flat()).toEqual(view === 'open' ? references : references.toReversed())
  },
)

test('a row contains the beginning of the message on one line, without cutting a character in half', async () => {
  const due = { replied_at: now, first_due_at: now, due_at: '2026-03-03T18:00:00.000Z' }
  await store('Q-0000-0000', { message: `Hello\n\n\tthere${' '.repeat(20)}🙂${'🙂'.repeat(400)}`, ...due })

  const { leads } = await listLeads(site.db, { view: 'open', after: undefined, now: new Date(now) })

  expect(leads[0]).toMatchObject({ name: 'Ada Lovelace', isUnread: true, isSuspect: false, version: 0 })
  expect(leads[0]).toMatchObject({ repliedAt: now, dueAt: due.due_at })
  expect(leads[0]?.words).toBe(`Hello there ${'🙂'.repeat(148)}…`)
})

/** The references that a search finds. */
async function find(search: string) {
  const { leads } = await searchLeads(site.db, { search })
  return leads.map(({ reference }) => reference)
}

/** The references on all pages of a search. */
async function findAll(search: string) {
  const found: string[] = []
  for (let before: string | undefined; ; ) {
    const page = await searchLeads(site.db, { search, before })
    found.push(...page.leads.map(({ reference }) => reference))
    if (!page.next) return found
    before = readCursor(page.next)?.[1]
  }
}

const noMatches = ['lovelace berg', 'nobody', '-', '', "' or 1=1 --", '" OR *', 'NEAR(ada love)', '\0', '🙂']

test.each(noMatches)('"%s" finds nothing and breaks nothing', async (search) => {
  await storeLeads(site.db, {}, { first_name: 'Bob', last_name: 'Berg', email: 'b@b.example' })

  expect(await find(search)).toEqual([])
})

test('the newest match comes first, and a reference finds only its lead', async () => {
  await storeLeads(
    site.db,
    { reference: 'Q-1111-1111' },
    { reference: 'Q-2222-2222', message: 'About q-1111-1111 q11111111.' },
    { reference: 'Q-3333-3333', message: 'About q-1111-1111 q11111111.' },
  )

  expect(await find('ada')).toEqual(['Q-3333-3333', 'Q-2222-2222', 'Q-1111-1111'])
  expect(await find('Q-1111-1111')).toEqual(['Q-1111-1111'])
})

test('a search for rare or common words finds exactly the leads that contain them, on all pages', async () => {
  // Every lead has "common", one in two "half", one in 40 "fortieth", and the oldest 20 "oldest".
  const messages = Array.from({ length: 2 * PAGE_SIZE + 10 }, (_, index) =>
    ['common', index % 2 ? 'half' : '', index % 40 ? '' : 'fortieth', index < 20 ? 'oldest' : '']
      .filter(Boolean)
      .join(' '),
  )
  await storeLeads(site.db, ...messages.map((message, index) => ({ reference: String(index), message })))

  for (const search of ['common', 'hal com', 'half oldest', 'fortieth', 'half mon', 'nobody common']) {
    const isMatch = (message: string) => search.split(' ').every((term) => ` ${message}`.includes(` ${term}`))
    const expected = messages.flatMap((message, index) => (isMatch(message) ? [String(index)] : []))
    expect([search, await findAll(search)]).toEqual([search, expected.toReversed()])
  }
})

testOnce('a search goes on beyond the newest 5,000 leads', async () => {
  const slate = ['oldest', 'last of 5,000'].map((reference) => ({ reference, message: 'Slate.' }))
  const roofs = Array(1_000).fill({ message: 'A roof.' })
  await storeLeads(site.db, ...slate, ...roofs.slice(1))
  for (let thousand = 1; thousand < 5; thousand++) await storeLeads(site.db, ...roofs)

  expect(await find('slate')).toEqual(['last of 5,000', 'oldest'])
})

async function messages(filter: LeadFilter = {}) {
  const found = []
  for await (const { message } of readLeads(site.db, filter)) found.push(message)
  return found
}

test('every lead is read once, newest first, also if the last page is full', async () => {
  const stored: string[] = []
  for (const more of [9, 1, 1, 10]) {
    const added = Array.from({ length: more }, (_, index) => String(stored.length + index))
    await storeLeads(site.db, ...added.map((message) => ({ message })))
    stored.push(...added)

    expect(await messages(), `${stored.length} leads`).toEqual(stored.toReversed())
  }
})

test('each lead is read with its history, even if many are read at once', async () => {
  const leads = await storeLeads(site.db, ...Array(21).fill({}))
  const note = { at: now, who: 'shell', what: 'note' } as const
  const notes = leads.map(({ id, reference }) => ({ ...note, lead_id: id, text: reference }))
  await site.db.insertInto('lead_events').values(notes).execute()

  for await (const { reference, events } of readLeads(site.db))
    expect(events).toMatchObject([{ text: reference }])
})

test('leads are filtered by the state of their emails and by day', async () => {
  for (const message of ['waiting', 'sent', 'given up']) {
    site.advanceClock(24 * 60 * 60 * 1000)
    await site.submit({ message })
  }
  for (const outcome of ['failed', 'sent'] as const) {
    const job = await claimEmail(site)
    await site.outbox.record(job, site.clock.now, outcome, { smtpCode: 250, response: 'ok' })
  }
  const since = site.clock.now
  site.advanceClock(-1)
  // Some matching leads are on the second page.
  await storeLeads(site.db, ...Array(10).fill({ created_at: site.clock.now.toISOString() }))

  expect(await messages({ mail: 'failed' })).toEqual(['given up'])
  expect(await messages({ mail: 'delivered' })).toEqual(['sent'])
  expect(await messages({ mail: 'waiting' })).toEqual(['waiting'])
  // While it is being sent, it still waits.
  await claimEmail(site)
  expect(await messages({ mail: 'waiting' })).toEqual(['waiting'])
  // If one owner's notice has failed, another's doesn't hide that.
  const failed = site.db.selectFrom('outbox').select('lead_id').where('state', '=', 'failed')
  const { lead_id } = await failed.executeTakeFirstOrThrow()
  const notice = { kind: 'owner_notice', recipient: 'bob@agency.example', messageId: '<2@x>' } as const
  await enqueue(site.db, [{ ...notice, leadId: String(lead_id) }], site.clock.now)
  expect(await messages({ mail: 'failed' })).toEqual(['given up'])
  const attempts = site.db.updateTable('outbox_attempts')
  await attempts.set({ outcome: 'bounced' }).execute()
  expect(await messages({ mail: 'bounced' })).toEqual([])
  await site.db.updateTable('outbox').set({ kind: 'visitor_receipt' }).execute()
  expect(await messages({ mail: 'bounced' })).toEqual(['given up'])
  expect(await messages({ since })).toEqual(['given up'])
  expect(await messages({ since: new Date(since.getTime() + 1) })).toEqual([])
})
