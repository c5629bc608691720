import { expect, test } from 'vitest'
import { useTestApp } from '../proof/testing/build-test-app.ts'
import { sampleRequest } from '../proof/testing/sample-request.ts'
import type { NewLead } from './lead-store.ts'
import { storeLead } from './store-lead.ts'

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
const store = (lead: NewLead) =>
  storeLead(
    site.db,
    lead,
    'client',
    ['first@plumbline.example', 'second@plumbline.example'].map((recipient) => ({
      leadId: lead.id,
      kind: 'owner_notice',
      recipient,
      messageId: `<${lead.id} ${recipient}>`,
      isSuspect: true,
    })),
  )
const stored = async () => ({
  leads: await site.db.selectFrom('leads').select('id').execute(),
  accepted: await site.db.selectFrom('accepted_requests').selectAll().execute(),
  emails: await site.db
    .selectFrom('outbox')
    .select(['lead_id', 'kind', 'recipient', 'message_id', 'priority', 'content', 'queued_at', 'due_at'])
    .orderBy('id')
    .execute(),
})

test("a lead is stored with its emails, in order, and counts toward its client's limit", async () => {
  expect(await store(newLead({}))).toBe(true)

  const at = site.clock.now.toISOString()
  const email = { lead_id: '1', kind: 'owner_notice', priority: 1, content: null, queued_at: at, due_at: at }
  expect(await stored()).toEqual({
    leads: [{ id: '1' }],
    accepted: [{ client: 'client', at }],
    emails: ['first', 'second'].map((name) => ({
      ...email,
      recipient: `${name}@plumbline.example`,
      message_id: `<1 ${name}@plumbline.example>`,
    })),
  })
})

test('if the reference is already in use, nothing is stored', async () => {
  await store(newLead({}))
  const before = await stored()

  expect(await store(newLead({ id: '2' }))).toBe(false)
  expect(await stored()).toEqual(before)
})
