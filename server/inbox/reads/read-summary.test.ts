import { expect, test } from 'vitest'
import { summary as summarySchema } from '#shared/inbox/api.ts'
import { writeNote } from '../../database/settings.ts'
import { useTestApp } from '../../proof/testing/build-test-app.ts'
import { storeLead } from '../../proof/testing/leads.ts'
import { readSummary } from './figures.ts'

const now = '2026-03-02T15:00:00.000Z'
const [past, future] = ['2026-03-02T14:59:59.999Z', '2026-03-02T15:00:00.001Z']

const site = useTestApp()

const store = (changes: Parameters<typeof storeLead>[1] = {}) => storeLead(site.db, changes)
const read = async (hasMailServer = true) =>
  summarySchema.parse(await readSummary(site.db, { now: new Date(now), hasMailServer }))

test('the summary counts the leads of every view', async () => {
  await store()
  await store({ spam_score: 10 })
  await store({ state: 'won' })
  await store({ follow_up_on: '2026-03-03', sort_key: '12026-03-03' })

  expect((await read()).counts).toMatchObject({ open: 1, suspects: 1, won: 1, later: 1, lost: 0, all: 4 })
})

test('open leads past their due time are late, even after a failed answer or on their follow-up day', async () => {
  await store({ due_at: past })
  await store({ due_at: future })
  await store({ due_at: past, trouble: 'no such mailbox', sort_key: `0${now}` })
  await store({ due_at: future, trouble: 'no such mailbox', sort_key: `0${now}` })
  await store({ due_at: past, follow_up_on: '2026-03-02', sort_key: '12026-03-02' })
  await store({ due_at: past, follow_up_on: '2026-03-02', sort_key: '12026-03-02', state: 'answered' })
  await store({ due_at: past, follow_up_on: '2026-03-03', sort_key: '12026-03-03' })
  await store({ due_at: past, spam_score: 10 })
  await store({ due_at: past, state: 'won', sort_key: past })

  expect(await read()).toMatchObject({ waiting: 5, late: 3 })
})

const storeMail = (state: 'queued' | 'failed', queued_at: string) =>
  site.db
    .insertInto('outbox')
    .values({ kind: 'morning', state, queued_at, due_at: queued_at, content: '{}', ...ofNoInterest })
    .execute()
const ofNoInterest = { recipient: '', priority: 0, message_id: '' }

test('emails that have waited 15 minutes or failed for good are reported with the time of the oldest', async () => {
  await storeMail('queued', '2026-03-02T14:50:00.000Z')
  expect((await read()).mail).toEqual({ state: 'ok', since: null, failed: 0 })

  await storeMail('queued', '2026-03-02T14:40:00.000Z')
  expect((await read()).mail).toEqual({ state: 'waiting', since: '2026-03-02T14:40:00.000Z', failed: 0 })

  // While no email goes out, an earlier failure must not hide that.
  await storeMail('failed', '2026-03-01T14:00:00.000Z')
  expect((await read()).mail).toEqual({ state: 'waiting', since: '2026-03-02T14:40:00.000Z', failed: 1 })
  await site.db.deleteFrom('outbox').where('state', '=', 'queued').execute()
  expect((await read()).mail).toEqual({ state: 'failed', since: '2026-03-01T14:00:00.000Z', failed: 1 })
})

test('without a mail server, emails go into files, or are held if a mail server was used before', async () => {
  await storeMail('queued', '2026-03-02T14:50:00.000Z')
  expect((await read(false)).mail).toMatchObject({ state: 'files' })

  await writeNote(site.db, 'smtp_used', true)
  expect((await read(false)).mail).toMatchObject({ state: 'held', since: '2026-03-02T14:50:00.000Z' })
})
