import { expect, test } from 'vitest'
import { readMailHealth } from '../app/health.ts'
import type { EmailKind, EmailState, FailureCause } from '../database/schema.ts'
import { addEvent } from '../leads/change/change-lead.ts'
import { testOnce, useTestApp } from '../proof/testing/build-test-app.ts'
import { anna } from '../proof/testing/leads.ts'
import { outboxTools } from '../proof/testing/outbox.ts'
import { webhookSecret } from '../proof/testing/receiver.ts'
import { answerStuckSince, hasBouncedReceipt, MAIL_PATIENCE_MS, readBacklog } from './backlog.ts'
import { enqueue } from './email.ts'
import { readdress, requeueFailed, requeueLead, retryNow } from './resend.ts'

const site = useTestApp()
const { rows, submit } = outboxTools(site)

/**
 * Stores one email for each of the words, such as "answer queued server". Returns the id of their
 * lead.
 */
async function store(emails: string) {
  for (const [index, email] of emails.split(', ').entries()) {
    const [kind, state, cause = null] = email.split(' ') as [EmailKind, EmailState, FailureCause?]
    await submit(`${index} ${email}`)
    const change = { kind, state, cause, attempts: 65 }
    await site.db
      .updateTable('outbox')
      .set(change)
      .where('id', '=', index + 1)
      .execute()
  }
  return String((await rows())[0]?.lead_id)
}
const later = (ms: number) => new Date(site.clock.now.getTime() + ms)

testOnce.each([
  ['owner_notice queued', 'waiting'],
  ['owner_notice sending server', 'waiting'],
  ['owner_notice queued recipient', 'refused'],
  ['owner_notice sent', 'ok'],
  ['answer queued server', 'waiting'],
  ['answer queued recipient', 'ok'],
  ['visitor_receipt queued', 'ok'],
  ['sign_in queued', 'ok'],
  ['webhook queued', 'waiting'],
  ['webhook failed', 'failed'],
  ['reminder failed', 'failed'],
  ['answer failed', 'ok'],
  ['visitor_receipt failed', 'ok'],
  ['sign_in failed', 'ok'],
  ['owner_notice queued recipient, owner_notice queued', 'waiting'],
  ['owner_notice failed, owner_notice queued', 'waiting'],
  ['owner_notice failed, owner_notice queued recipient', 'failed'],
])('with late emails (%s), the health is %s', async (emails, health) => {
  await store(emails)
  const webhook = { url: 'https://crm.example/', secret: webhookSecret }
  const withWebhook = { db: site.db, env: { ...site.context.env, webhook } }

  expect(await readMailHealth(withWebhook, later(MAIL_PATIENCE_MS + 1))).toBe(health)
  if (!emails.includes('failed'))
    expect(await readMailHealth(withWebhook, later(MAIL_PATIENCE_MS))).toBe('ok')
  if (emails.startsWith('webhook'))
    expect(await readMailHealth(site.context, later(MAIL_PATIENCE_MS + 1))).toBe('ok')
})

test('a bounce and a stuck answer concern only the address that the lead still has', async () => {
  await store('visitor_receipt failed, answer queued recipient')
  await site.db.updateTable('outbox').set({ recipient: 'ada@example.com' }).execute()
  const shown = async () => {
    const leads = site.db
      .selectFrom('leads')
      .select([hasBouncedReceipt.as('bounced'), answerStuckSince.as('since')])
    return (await leads.orderBy('id').execute()).map(({ bounced, since }) => [Boolean(bounced), since])
  }
  const at = site.clock.now.toISOString()
  expect(await shown()).toEqual([
    [false, null],
    [false, at],
  ])

  const attempt = { outbox_id: 1, at, outcome: 'bounced', smtp_code: 550, response: '' } as const
  await site.db.insertInto('outbox_attempts').values(attempt).execute()
  expect(await shown()).toEqual([
    [true, null],
    [false, at],
  ])

  await site.db.updateTable('leads').set({ email: 'ada@example.org' }).execute()
  const corrected = { what: 'address', from_value: 'Ada@example.com', to_value: 'ada@example.org' } as const
  const ids = (await site.db.selectFrom('leads').select('id').execute()).map(({ id }) => id)
  for (const id of ids) await addEvent(site.db, { ...corrected, lead_id: id, at, who: anna })
  expect((await shown())[1]).toEqual([false, at])
  const email = { kind: 'answer', recipient: 'ada@example.org', messageId: '<2@x>' } as const
  const emails = ids.map((leadId) => ({ ...email, leadId }))
  await enqueue(site.db, emails, site.clock.now)
  expect(await shown()).toEqual([
    [false, null],
    [false, null],
  ])
})

test('since when emails are late, and since when they are refused, are told apart', async () => {
  await store('owner_notice queued, reminder queued recipient, owner_notice queued')
  const at = (minute: number) => later(minute * 60_000).toISOString()
  for (const id of [1, 2, 3])
    await site.db
      .updateTable('outbox')
      .set({ queued_at: at(id) })
      .where('id', '=', id)
      .execute()

  expect(await readBacklog(site.context, later(1e9))).toMatchObject({ oldestAt: at(1), refusedSince: at(2) })
})

testOnce.each([
  ['owner_notice sent', 1, 0],
  ['owner_notice sending', 0, 0],
  ['owner_notice failed', 1, 1],
  ['webhook sent', 1, 0],
  ['webhook failed', 1, 1],
  ['reminder sent', 0, 0],
  ['reminder failed', 1, 1],
  ['visitor_receipt failed', 1, 0],
  ['answer failed', 0, 0],
])(
  '%s: sending the emails of the lead again sends %i, and sending what has failed %i',
  async (email, ofLead, failed) => {
    const leadId = await store(`${email} server`)
    const arrived = { arrived_in: 'inbox', arrived_at: '2026-03-01T15:00:01.000Z' } as const
    await site.db
      .updateTable('outbox')
      .set({ sent_at: '2026-03-01T15:00:00.000Z', ...arrived })
      .execute()
    const before = await rows()
    site.advanceClock(1000)
    const at = site.clock.now.toISOString()
    const fresh = {
      state: 'queued',
      attempts: 0,
      cause: null,
      sent_at: null,
      queued_at: at,
      due_at: at,
      arrived_in: null,
    }

    expect(await requeueLead(site.db, 'another', site.clock.now, { addresses: [] })).toBe(0)
    expect(await requeueLead(site.db, leadId, site.clock.now, { addresses: [] })).toBe(ofLead)
    expect(await rows()).toMatchObject([ofLead ? fresh : { state: before[0]?.state, attempts: 65 }])

    await site.db
      .updateTable('outbox')
      .set(before[0] as never)
      .execute()
    expect(await requeueFailed(site.db, 'another', site.clock.now)).toBe(0)
    expect(await requeueFailed(site.db, leadId, site.clock.now)).toBe(failed)
  },
)

test('a start does not hurry an answer that can still be undone', async () => {
  const answer = { kind: 'answer', recipient: 'ada@example.com', messageId: '<1@x>' } as const
  await enqueue(site.db, [answer], later(15_000))

  expect(await retryNow(site.db, site.clock.now)).toBe(0)
  await site.db.updateTable('outbox').set({ attempts: 1 }).execute()
  expect(await retryNow(site.db, site.clock.now)).toBe(1)
})

const [ben, former, gone] = ['ben@agency.example', 'former@agency.example', 'gone@agency.example']
/** Stores a notice for each of these owners, in these states, and an email about several leads. */
async function storeFor(owners: Record<string, EmailState>) {
  await submit('of several owners')
  const [{ id: _, ...notice } = {} as never] = await rows()
  const list = { ...notice, lead_id: null, kind: 'notice_list' as const, content: '{"at":"now"}' }
  await site.db.deleteFrom('outbox').execute()
  for (const [recipient, state] of Object.entries(owners))
    await site.db
      .insertInto('outbox')
      .values([notice, list].map((email) => ({ ...email, recipient, state })))
      .execute()
  return String(notice.lead_id)
}
const emails = async () => (await rows()).map(({ kind, recipient, state }) => [kind, recipient, state])

test.each<[before: Record<string, EmailState>, after: [recipient: string, state: EmailState][]]>([
  [{ [anna]: 'sent', [former]: 'queued' }, [[anna, 'sent']]],
  [{ [anna]: 'failed', [former]: 'failed' }, [[anna, 'failed']]],
  [{ [former]: 'queued', [gone]: 'queued' }, [[anna, 'queued']]],
  [
    { [former]: 'sent', [gone]: 'queued' },
    [
      [former, 'sent'],
      [anna, 'queued'],
    ],
  ],
  [
    { [anna]: 'failed', [former]: 'queued' },
    [
      [anna, 'failed'],
      [anna, 'queued'],
    ],
  ],
  [
    { [former]: 'failed', [ben]: 'queued' },
    [
      [anna, 'failed'],
      [ben, 'queued'],
    ],
  ],
])('the first owner gets what waits for a former one, but not twice: %j', async (before, after) => {
  await storeFor(before)

  await readdress(site.db, { addresses: [anna, ben] })

  expect(await emails()).toEqual(
    after.flatMap(([recipient, state]) => [
      ['owner_notice', recipient, state],
      ['notice_list', recipient, state],
    ]),
  )
})

test('an owner whose address is written in other letters is no former one', async () => {
  await storeFor({ [anna]: 'queued', [ben]: 'sent' })

  await readdress(site.db, { addresses: [ben, anna.toUpperCase()] })

  expect((await emails()).filter(([, recipient]) => recipient === anna)).toHaveLength(2)
})

test('a notice is sent again once to each owner of today, and what a former one got stays', async () => {
  const leadId = await storeFor({ [former]: 'sent', [anna]: 'sent' })

  expect(await requeueLead(site.db, leadId, site.clock.now, { addresses: [anna] })).toBe(1)

  expect((await emails()).filter(([kind]) => kind === 'owner_notice')).toEqual([
    ['owner_notice', former, 'sent'],
    ['owner_notice', anna, 'queued'],
  ])
})

test('what is sent again goes once to an owner of today, and what was sent keeps its recipient', async () => {
  const leadId = await storeFor({ [former]: 'sent', [gone]: 'sent' })
  const recipients = async () =>
    (await emails()).flatMap(([kind, recipient]) => (kind === 'owner_notice' ? [recipient] : []))

  await readdress(site.db, { addresses: [anna] })
  expect(await recipients()).toEqual([former, gone])
  await requeueLead(site.db, leadId, site.clock.now, { addresses: [anna] })
  expect(await recipients()).toEqual([anna, gone])
})
