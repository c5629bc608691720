import { expect, test } from 'vitest'
import { writeNote } from '../database/notes.ts'
import { parseEnv } from '../env.ts'
import { writeRead } from '../mailbox/trouble.ts'
import type { DeliveryMode } from '../outbox/delivery-mode.ts'
import { useTestApp } from '../proof/testing/build-test-app.ts'
import { storeLead } from '../proof/testing/leads.ts'
import { beforeDue, march, OWNERS } from '../proof/testing/reminder-tools.ts'
import { createOutbox } from './create-outbox.ts'
import { allJobs } from './jobs.ts'

const site = useTestApp()

const always = {
  'spam filter': 300,
  clock: 60,
  limits: 60,
  'notice list': 60,
  'morning email': 60,
  'mail arrival': 60,
  backup: 900,
}
const reminders = { reminders: 60, 'follow-ups': 60 }
const push = { push: 2, 'unfinished uploads': 600 }
const IMAP_URL = 'imaps://a:b@mail.example'
const mailbox = { mailbox: 2, 'mailbox trouble': 60 }

function jobsWith(settings: Record<string, string>, mode: DeliveryMode = 'smtp') {
  const env = { ...parseEnv({ DATA_DIR: site.dataDir, ...settings }), MAIL_TO: OWNERS }
  const context = { ...site.context, env }
  const outbox = createOutbox(context, mode)
  return allJobs(context, { leads: site.leads, outbox, followClock: async () => {} }).filter(
    ({ isNeeded = true }) => isNeeded,
  )
}

test.each<[string, Record<string, string>, DeliveryMode, Record<string, number>]>([
  ['by default', {}, 'smtp', { ...reminders, ...push }],
  ['without a mail server', {}, 'files', push],
  ['without reminders', { REMINDERS: 'off' }, 'smtp', push],
  ['with deletion', { RETENTION_DAYS: '30' }, 'smtp', { ...reminders, ...push, retention: 3600 }],
  ['with a mailbox', { IMAP_URL }, 'smtp', { ...reminders, ...push, ...mailbox }],
  ['without the inbox', { INBOX: 'off', IMAP_URL }, 'smtp', {}],
])('%s, these jobs run, at intervals of so many seconds', (_name, settings, mode, more) => {
  const seconds = jobsWith(settings, mode).map(({ name, everyMs }) => [name, everyMs / 1000])

  expect(Object.fromEntries(seconds)).toEqual({ ...always, ...more })
})

test('one replica at a time does what is due, but each learns what is spam, and what time it is', () => {
  const all = jobsWith({ IMAP_URL, RETENTION_DAYS: '30' })

  expect(all.filter(({ isOnEachReplica }) => isOnEachReplica).map(({ name }) => name)).toEqual([
    'spam filter',
    'clock',
  ])
})

test('after a start, the mailbox is read and a backup taken before anything is said about them, or deleted', () => {
  const all = jobsWith({ IMAP_URL, RETENTION_DAYS: '30' })

  const startsOf = Object.fromEntries(all.map(({ name, firstAfterMs = 0 }) => [name, firstAfterMs / 60_000]))
  expect(startsOf).toMatchObject({ mailbox: 0, backup: 1 })
  for (const name of ['reminders', 'follow-ups', 'morning email', 'mailbox trouble', 'retention'])
    expect(startsOf[name]).toBe(3)
})

/** When the mailbox was last read, in minutes after the start of the server. */
type ReadAt = number | undefined

test.each<[string, Record<string, string>, ReadAt, kept: number]>([
  ['without a mailbox', {}, undefined, 0],
  ['before the mailbox has ever been read', { IMAP_URL }, undefined, 1],
  ['before the mailbox has been read since the start', { IMAP_URL }, -1, 1],
  ['after the mailbox has been read', { IMAP_URL }, 1, 0],
  ['without the inbox', { INBOX: 'off', IMAP_URL }, undefined, 0],
])(
  '%s, with RETENTION_DAYS=1 and %j, read at %s, an old lead is kept: %i',
  async (_when, settings, readAt, kept) => {
    const hasInbox = settings.INBOX !== 'off'
    const created_at = '2026-02-01T14:00:00.000Z'
    await storeLead(site.db, { created_at, state: hasInbox ? 'answered' : 'open' })
    const seenAt = site.clock.now.getTime()
    await writeNote(site.db, 'retention_watch', { days: 1, hasInbox, seenAt, steadySince: 0 })
    if (readAt) await writeRead(site.db, new Date(seenAt + readAt * 60_000))
    const retention = jobsWith({ RETENTION_DAYS: '1', ...settings }).find(({ name }) => name === 'retention')
    site.advanceClock(24 * 60 * 60_000)

    await retention?.run(new AbortController().signal)

    expect(await site.db.selectFrom('leads').select('id').execute()).toHaveLength(kept)
  },
)

test('the jobs do what is due: reminders, the morning email, and forgetting who sent a request', async () => {
  site.clock.now = march('02T10:00')
  await site.submit()

  for (const time of [march('02T10:00'), beforeDue(30), march('03T12:00')]) {
    site.clock.now = time
    const due = jobsWith({}).filter(({ name }) => name !== 'backup')
    for (const { run } of due) await run(new AbortController().signal)
  }

  const emails = await site.db.selectFrom('outbox').select('kind').distinct().orderBy('kind').execute()
  expect(emails.map(({ kind }) => kind)).toEqual(['morning', 'owner_notice', 'reminder'])
  expect(await site.db.selectFrom('leads').select('client').execute()).toEqual([{ client: null }])
})
