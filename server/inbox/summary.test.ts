import { expect, test } from 'vitest'
import { summary as summarySchema } from '#shared/inbox/api.ts'
import { writeNote } from '../database/notes.ts'
import { writeTrouble } from '../mailbox/trouble.ts'
import { useTestApp } from '../proof/testing/build-test-app.ts'
import { storeLead, storeLeads } from '../proof/testing/leads.ts'
import { webhookSecret } from '../proof/testing/receiver.ts'
import { readSummary } from './summary.ts'

const site = useTestApp()

const monday = '2026-03-02T15:00:00.000Z'
const [past, future] = ['2026-03-02T14:59:59.999Z', '2026-03-02T15:00:00.001Z']
const summaryOf = async (hasMailServer = true) => {
  const webhook = { url: 'https://crm.example/', secret: webhookSecret }
  const mail = hasMailServer ? { SMTP_URL: 'smtp://mail.example', IMAP_URL: 'imaps://mail.example' } : {}
  const env = { ...site.context.env, webhook, ...mail }
  return summarySchema.parse(await readSummary({ db: site.db, env }, new Date(monday)))
}

test('the summary has the median time of the last hundred answers', async () => {
  const answers = (day: string, minute: number) =>
    Array(100).fill({ created_at: `${day}T16:00:00.000Z`, answered_at: `${day}T16:${minute}:00.000Z` })
  await storeLeads(site.db, ...answers('2026-02-26', 50), ...answers('2026-02-27', 10))

  expect((await summaryOf()).medianMinutesToAnswer).toBe(10)
})

test.each([
  [9, null],
  [10, 20],
])('with %i answers, the median time to answer is %j', async (count, median) => {
  const created_at = '2026-02-26T16:00:00.000Z'
  await storeLeads(site.db, ...Array(count).fill({ created_at, answered_at: '2026-02-26T16:20:00.000Z' }))
  // Not answered yet.
  await storeLead(site.db, { created_at })

  expect((await summaryOf()).medianMinutesToAnswer).toBe(median)
})

test('the summary counts the leads of every view', async () => {
  await storeLead(site.db)
  await storeLead(site.db, { spam_score: 10 })
  await storeLead(site.db, { state: 'open', result: 'won' })
  await storeLead(site.db, { follow_up_at: '2026-03-03T14:00:00.000Z' })

  expect((await summaryOf()).counts).toMatchObject({
    open: 2,
    suspects: 1,
    won: 1,
    later: 1,
    lost: 0,
    all: 4,
  })
})

test('open leads past their due time are late, even after a failed answer or after their follow-up, but no suspects', async () => {
  await storeLead(site.db, { due_at: past })
  await storeLead(site.db, { due_at: future })
  await storeLead(site.db, { due_at: past, trouble: 'no such mailbox' })
  await storeLead(site.db, { due_at: future, trouble: 'no such mailbox' })
  await storeLead(site.db, { due_at: past, follow_up_at: past })
  await storeLead(site.db, {
    due_at: past,
    follow_up_at: past,
    state: 'answered',
  })
  await storeLead(site.db, { due_at: past, follow_up_at: future })
  await storeLead(site.db, { due_at: past, spam_score: 10 })
  await storeLead(site.db, { due_at: past, spam_score: 10, follow_up_at: past })
  await storeLead(site.db, { due_at: past, state: 'answered', result: 'won' })

  expect(await summaryOf()).toMatchObject({ waiting: 5, late: 3 })
})

const storeMail = (state: 'queued' | 'failed', queued_at: string, changes = {}) =>
  site.db
    .insertInto('outbox')
    .values({ ...ofNoInterest, state, queued_at, due_at: queued_at, ...changes })
    .execute()
const ofNoInterest = { kind: 'morning', content: '{}', recipient: '', priority: 0, message_id: '' } as const

test('emails that have waited 15 minutes or failed for good are reported with the time of the oldest', async () => {
  await storeMail('queued', '2026-03-02T14:50:00.000Z')
  expect((await summaryOf()).mail).toEqual({ state: 'ok', since: null, failed: 0 })

  await storeMail('queued', '2026-03-02T14:40:00.000Z')
  expect((await summaryOf()).mail).toEqual({ state: 'waiting', since: '2026-03-02T14:40:00.000Z', failed: 0 })

  // While no email goes out, an earlier failure must not hide that.
  await storeMail('failed', '2026-03-01T14:00:00.000Z')
  await storeMail('failed', '2026-03-01T14:30:00.000Z')
  expect((await summaryOf()).mail).toEqual({ state: 'waiting', since: '2026-03-02T14:40:00.000Z', failed: 2 })
  await site.db.deleteFrom('outbox').where('state', '=', 'queued').execute()
  expect((await summaryOf()).mail).toEqual({ state: 'failed', since: '2026-03-01T14:00:00.000Z', failed: 2 })
})

const since = '2026-03-02T14:40:00.000Z'
const to = 'anna@agency.example'
const missing = { state: 'missing', id: 1, to, since } as const
test.each<[string, () => Promise<unknown>, more?: object]>([
  ['refused', () => storeMail('queued', since, { cause: 'recipient' })],
  ['webhook', () => storeMail('queued', since, { kind: 'webhook' })],
  ['webhook', () => storeMail('failed', since, { kind: 'webhook' })],
  ['mailbox', () => writeTrouble(site.db, { folder: 'inbox', since })],
  [
    'missing',
    () => writeNote(site.db, 'mail_arrival', { of: '', upTo: 0, addresses: [], trouble: missing }),
    { since, to },
  ],
])('the summary says what else needs attention: %s', async (state, happen, more) => {
  await happen()

  expect((await summaryOf()).mail).toMatchObject({ state, failed: 0, ...more })
})

test('without a mail server, emails go into files, or are held if a mail server was used before', async () => {
  await storeMail('queued', '2026-03-02T14:50:00.000Z')
  // Noted before IMAP_URL was removed.
  await writeTrouble(site.db, { folder: 'inbox', since })
  expect((await summaryOf(false)).mail).toMatchObject({ state: 'files' })

  await writeNote(site.db, 'smtp_used', true)
  expect((await summaryOf(false)).mail).toMatchObject({ state: 'held', since: '2026-03-02T14:50:00.000Z' })
})
