import { expect, test } from 'vitest'
import { lead as leadSchema } from '#shared/inbox/lead.ts'
import { useTestApp } from '../../proof/testing/build-test-app.ts'
import { storeLead } from '../../proof/testing/leads.ts'
import { readLead } from './read-lead.ts'

const reference = 'Q-7K3M-9QXD'
const owner = 'anna@agency.example'
const now = '2026-03-02T15:00:00.000Z'

const site = useTestApp()

const read = async (input: Partial<Parameters<typeof readLead>[1]> = {}) => {
  const lead = await readLead(site.db, {
    reference,
    owner,
    now: new Date(now),
    sendsReceipts: true,
    ...input,
  })
  return leadSchema.parse(lead)
}

/** Queues an email about a lead. */
const storeMail = (lead_id: string, kind: 'answer' | 'visitor_receipt', attempts = 0) =>
  site.db
    .insertInto('outbox')
    .values({
      lead_id,
      kind,
      recipient: 'ada@example.com',
      attempts,
      queued_at: now,
      due_at: now,
      ...ofNoInterest,
    })
    .execute()
const ofNoInterest = { priority: 0, message_id: '' }

const storeAnswer = async (lead_id: string, attempts = 0) => {
  const event = { lead_id, at: now, who: owner, what: 'answer', text: 'Hello Ada', key: 'a key' } as const
  await site.db.insertInto('lead_events').values(event).execute()
  await storeMail(lead_id, 'answer', attempts)
  const content = JSON.stringify({ key: event.key, owner })
  await site.db.updateTable('outbox').set({ content }).where('kind', '=', 'answer').execute()
}

test('a lead is read with its fields, events, emails (with attempts to send them) and answer template', async () => {
  const { id } = await storeLead(site.db, { reference, source: '{"referrer":"search.example"}' })
  await storeAnswer(id)
  await site.db
    .insertInto('outbox_attempts')
    .values({ outbox_id: 1, at: now, outcome: 'retry', smtp_code: 451, response: '451 Later' })
    .execute()

  expect(await read()).toMatchObject({
    reference,
    name: 'Ada Lovelace',
    message: 'We need a new site.\nWhen can you start?',
    source: { referrer: 'search.example' },
    events: [{ who: owner, what: 'answer', from: null, to: null, text: 'Hello Ada' }],
    emails: [{ kind: 'answer', state: 'queued', attempts: [{ outcome: 'retry', response: '451 Later' }] }],
    template: expect.stringMatching(/^Hello Ada,\n\n/),
  })
})

test('undo is offered only to the owner who wrote the answer, and only until the first attempt to send it', async () => {
  const { id } = await storeLead(site.db, { reference })
  expect((await read()).pendingAnswer).toBeNull()

  await storeAnswer(id)
  expect((await read()).pendingAnswer).toEqual({ key: 'a key', sendsAt: now })
  expect((await read({ owner: 'ben@agency.example' })).pendingAnswer).toBeNull()

  await site.db.updateTable('outbox').set({ attempts: 1, state: 'sending' }).execute()
  expect((await read()).pendingAnswer).toBeNull()
})

test('after a lead is marked as not spam, its withheld receipt can be sent until the times that it promises have passed', async () => {
  const { id } = await storeLead(site.db, { reference, spam_score: 10, verdict: 'honest', created_at: now })

  expect((await read()).canSendReceipt).toBe(true)
  expect((await read({ sendsReceipts: false })).canSendReceipt).toBe(false)
  expect((await read({ now: new Date('2026-03-09T15:00:00.000Z') })).canSendReceipt).toBe(false)
  await storeMail(id, 'visitor_receipt')
  expect((await read()).canSendReceipt).toBe(false)
})
