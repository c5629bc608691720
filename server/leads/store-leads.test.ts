import { expect, test } from 'vitest'
import { useTestApp } from '../proof/testing/build-test-app.ts'
import { sampleRequest } from '../proof/testing/sample-request.ts'
import type { NewLead } from './lead-store.ts'
import { storeLeads } from './store-leads.ts'

const site = useTestApp()

const newLead = (changes: Partial<NewLead>): NewLead => ({
  ...sampleRequest(),
  id: '1',
  reference: 'Q-AAAA-AAAA',
  createdAt: site.clock.now,
  dueAt: site.clock.now,
  idempotencyKey: null,
  contentHash: 'hash',
  spam: { score: 0, reasons: [] },
  source: {},
  ...changes,
})
const toEntry = (lead: NewLead) => ({
  lead,
  names: { client: 'client', key: 'key', token: null },
  emails: ['first@plumbline.example', 'second@plumbline.example'].map((recipient) => ({
    leadId: lead.id,
    kind: 'owner_notice' as const,
    recipient,
    messageId: `<${lead.id} ${recipient}>`,
    isSuspect: true,
  })),
})
const stored = async () => ({
  leads: await site.db.selectFrom('leads').select('id').orderBy('id').execute(),
  accepted: await site.db.selectFrom('accepted_requests').selectAll().execute(),
  emails: await site.db
    .selectFrom('outbox')
    .select(['lead_id', 'kind', 'recipient', 'message_id', 'priority', 'content', 'queued_at', 'due_at'])
    .orderBy('id')
    .execute(),
})

test('a lead is stored, its emails are queued in the given order, and it counts toward the limit of its client', async () => {
  expect(await storeLeads(site.db, [toEntry(newLead({}))])).toEqual([])

  const at = site.clock.now.toISOString()
  const email = { lead_id: '1', kind: 'owner_notice', priority: 1, content: null, queued_at: at, due_at: at }
  expect(await stored()).toEqual({
    leads: [{ id: '1' }],
    accepted: ['client', 'key'].map((name) => ({ lead_id: '1', name, at })),
    emails: ['first', 'second'].map((name) => ({
      ...email,
      recipient: `${name}@plumbline.example`,
      message_id: `<1 ${name}@plumbline.example>`,
    })),
  })
})

test('a lead whose reference is already in use is skipped with its emails, but others are stored', async () => {
  await storeLeads(site.db, [toEntry(newLead({}))])
  const before = await stored()
  const sameReference = toEntry(newLead({ id: '2' }))

  expect(await storeLeads(site.db, [sameReference])).toEqual([sameReference])
  expect(await stored()).toEqual(before)
  expect(
    await storeLeads(site.db, [sameReference, toEntry(newLead({ id: '3', reference: 'Q-BBBB-BBBB' }))]),
  ).toEqual([sameReference])
  expect((await stored()).leads).toEqual([{ id: '1' }, { id: '3' }])
  expect((await stored()).emails.map(({ lead_id }) => lead_id)).toEqual(['1', '1', '3', '3'])
})
