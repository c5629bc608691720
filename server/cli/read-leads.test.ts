import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { requeueLead } from '../outbox/requeue.ts'
import { bounceReceipt } from '../proof/testing/bounce-receipt.ts'
import { buildTestApp } from '../proof/testing/build-test-app.ts'
import { deliverToFiles } from '../proof/testing/file-delivery.ts'
import { isOnPostgres } from '../proof/testing/open-test-database.ts'
import { sampleRequest } from '../proof/testing/sample-request.ts'
import { findLead, type LeadFilter, leadPage, readLeads } from './read-leads.ts'

const DAY_MS = 24 * 60 * 60 * 1000

let site: Awaited<ReturnType<typeof buildTestApp>>
beforeEach(async () => {
  site = await buildTestApp()
})
afterEach(() => site[Symbol.asyncDispose]())

/** A lead a day later than the one before. */
async function submit(changes = {}) {
  site.clock.now = new Date(site.clock.now.getTime() + DAY_MS)
  return site.submitLead(sampleRequest(changes), { client: 'c', idempotencyKey: null })
}
async function messages(filter: LeadFilter = {}, pageSize?: number) {
  const found = []
  for await (const { message } of readLeads(site.db, filter, pageSize)) found.push(message)
  return found
}

test('every lead is read once, the newest first, whatever the size of a page', async () => {
  for (const message of ['1', '2', '3', '4', '5']) {
    await submit({ message })
    // Within a millisecond ids have no order.
    await sleep(2)
  }
  await site.db.updateTable('leads').set({ created_at: site.clock.now.toISOString() }).execute()

  for (const pageSize of [1, 2, 5, 6])
    expect(await messages({}, pageSize), `pages of ${pageSize}`).toEqual(['5', '4', '3', '2', '1'])
})

test.each([
  ['müller', ['in the name']],
  ['MULLER', ['in the name']],
  ['ada@müll', []],
  ['lovelace', ['ＩＮ wide letters', 'a%b_c']],
  ['in wide', ['ＩＮ wide letters']],
  ['%', ['a%b_c']],
  ['Q-', ['ＩＮ wide letters', 'in the name', 'a%b_c']],
])('the search for %s finds %j', async (search, found) => {
  await submit({ message: 'a%b_c' })
  await submit({ message: 'in the name', firstName: 'Jörg', lastName: 'Müller' })
  await submit({ message: 'ＩＮ wide letters' })

  expect(await messages({ search }, 1)).toEqual(found)
})

test.each(['312 555 0177', '3125550177', '+1 312-555-0177', '1 (312) 555.0177', '555 0177', '0177'])(
  'the search for %s finds the phone number (312) 555-0177',
  async (search) => {
    await submit({ message: 'wanted', phone: '(312) 555-0177' })
    await submit({ message: 'another', phone: '(312) 555-0178' })

    expect(await messages({ search })).toEqual(['wanted'])
  },
)

test('a search for a reference finds it without its dashes too', async () => {
  const { reference } = await submit({ message: 'wanted' })
  await submit({ message: 'another' })

  expect(await messages({ search: reference.replaceAll('-', '').toLowerCase() })).toEqual(['wanted'])
})

test('leads are chosen by the state of their mails and by their day', async () => {
  for (const message of ['given up', 'sent', 'waiting']) await submit({ message })
  for (const outcome of ['recordFailed', 'recordSent'] as const) {
    const job = await site.outbox.claimNext(site.clock.now)
    if (job) await site.outbox[outcome](job, site.clock.now, { smtpCode: 250, response: 'ok' })
  }

  expect(await messages({ state: 'failed' })).toEqual(['given up'])
  expect(await messages({ state: 'delivered' })).toEqual(['sent'])
  expect(await messages({ state: 'waiting' })).toEqual(['waiting'])
  expect(await messages({ since: site.clock.now })).toEqual(['waiting'])
  expect(await messages({ since: new Date(site.clock.now.getTime() + 1) })).toEqual([])
})

test('leads whose notice is only a file, or whose receipt bounced, are chosen as such', async () => {
  await using shop = await buildTestApp({ sendsReceipts: true })
  const messagesIn = async (state: 'file' | 'bounced' | 'delivered') => {
    const found: string[] = []
    for await (const { message } of readLeads(shop.db, { state })) found.push(message)
    return found
  }
  await bounceReceipt(shop, { message: 'bounced' })
  await shop.submitLead(sampleRequest({ message: 'written' }), { client: 'c', idempotencyKey: null })
  await deliverToFiles(shop)

  expect([await messagesIn('bounced'), await messagesIn('file'), await messagesIn('delivered')]).toEqual([
    ['bounced'],
    ['written'],
    ['bounced'],
  ])
})

test('the view of the owner calls a file no delivery, until a mail server has taken the email', async () => {
  const inView = async () => {
    const { rows } = await sql<object>`select delivery, delivered_at from lead_overview`.execute(site.db)
    return rows
  }
  const { reference } = await submit()
  await deliverToFiles(site)
  expect(await inView()).toEqual([{ delivery: 'file', delivered_at: null }])

  const lead = await findLead(site.db, reference)
  await requeueLead(site.db, String(lead?.id), site.clock.now)
  expect(await inView()).toEqual([{ delivery: 'waiting', delivered_at: null }])
  const job = await site.outbox.claimNext(site.clock.now)
  if (!job) throw new Error('nothing is due')
  await site.outbox.recordSent(job, site.clock.now, { smtpCode: 250, response: '250 ok' })

  expect(await inView()).toEqual([{ delivery: 'delivered', delivered_at: site.clock.now.toISOString() }])
})

test('a lead is read with all that is stored about it', async () => {
  const { reference } = await submit()
  const job = await site.outbox.claimNext(site.clock.now)
  if (job) await site.outbox.recordRetry(job, site.clock.now, { smtpCode: 421, response: 'later' }, 60_000)

  expect(await findLead(site.db, reference)).toMatchObject({
    email: 'ada@example.com',
    spam_reasons: ['Sent without the time stamp of the form'],
    delivery: 'waiting',
    mails: [{ state: 'queued', attempts: 1, flight: [{ outcome: 'retry', smtp_code: 421 }] }],
  })
})

test.skipIf(isOnPostgres).each<[string, LeadFilter]>([
  ['all', {}],
  ['those since a day', { since: new Date(0) }],
  ['those given up', { state: 'failed' }],
  ['those waiting', { state: 'waiting' }],
  ['those with a bounced receipt', { state: 'bounced' }],
  ['those that are only files', { state: 'file' }],
])('the newest of %s are found through an index, without sorting', async (_name, filter) => {
  const after = { created_at: '2026', id: 'x' } as never
  const query = leadPage(site.db, filter, after, 20).compile()

  const plan = await site.db.executeQuery<{ detail: string }>({
    ...query,
    sql: `explain query plan ${query.sql}`,
  })

  const steps = plan.rows.map(({ detail }) => detail).join('\n')
  expect(steps).toMatch(/leads USING (?:COVERING )?INDEX/)
  expect(steps).not.toMatch(/SCAN (leads|outbox|outbox_attempts)$/m)
  if (!filter.state) expect(steps).not.toContain('TEMP B-TREE')
})

test.skipIf(isOnPostgres)('the view of the owner is in step with the indexes', async () => {
  const { rows } = await sql<{
    detail: string
  }>`explain query plan select * from lead_overview limit 20`.execute(site.db)

  expect(rows.map(({ detail }) => detail).join('\n')).not.toMatch(/TEMP B-TREE|SCAN leads$/m)
})
