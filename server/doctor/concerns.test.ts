import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { writeNote } from '../database/notes.ts'
import { backupName } from '../files/backup-list.ts'
import { testOnce, useTestApp } from '../proof/testing/build-test-app.ts'
import { leadTools, storeLeads } from '../proof/testing/leads.ts'
import { webhookSecret } from '../proof/testing/receiver.ts'
import { OWNERS } from '../proof/testing/reminder-tools.ts'
import { findConcerns } from './concerns.ts'

const HOUR_MS = 60 * 60_000
const site = useTestApp({ mailTo: OWNERS })
const { submit } = leadTools(site)

const hoursAgo = (hours: number) => new Date(site.clock.now.getTime() - hours * HOUR_MS)
const find = (env = {}, redact: (text: string) => string = String) => {
  const { db, context, clock } = site
  return findConcerns({ db, env: { ...context.env, ...env }, redact }, clock.now)
}

/** Pretends that backups were taken so many hours ago: only their names matter. */
function addBackups(here: number | null, offsite: number | null) {
  const { BACKUP_DIR } = site.context.env
  mkdirSync(BACKUP_DIR, { recursive: true })
  if (here !== null) writeFileSync(join(BACKUP_DIR, backupName(hoursAgo(here))), '')
  mkdirSync(join(site.dataDir, 'offsite'), { recursive: true })
  const record = offsite === null ? {} : { backup: backupName(hoursAgo(offsite)) }
  writeFileSync(join(site.dataDir, 'offsite', 'offsite.json'), JSON.stringify(record))
}

testOnce.each([
  [1, 1, []],
  [null, 1, [/^There is no backup yet\. Take one now.*npm run backup$/]],
  [1, null, [/^There is no offsite backup yet\. /]],
  [51, 1, [/^The last backup is 51 hours old\. /]],
  [27, 27, []],
  [1, 55, [/^The last offsite backup is 55 hours old\. /]],
])(
  'with a backup from %s hours ago, and an offsite backup from %s hours ago, the concerns are %s',
  async (here, offsite, expected) => {
    addBackups(here, offsite)
    expect((await find()).concerns).toEqual(expected.map((words) => expect.stringMatching(words)))
  },
)

testOnce('risks for the backups, and one that was missed, are notes for Mondays', async () => {
  addBackups(27, 30)
  expect((await find()).notes).toEqual([
    expect.stringMatching(/^The last backup is 27 hours old\. /),
    expect.stringMatching(/^The last backup is on .*BACKUP_DIR/),
    expect.stringMatching(/^The last offsite backup is 30 hours old\. /),
  ])
})

testOnce.each([
  [{ state: 'failed' }, /^Failed emails to you: 2\..* npm run leads -- resend --failed$/],
  [{ cause: 'content', queued_at: '2026-03-02T12:00:00.000Z' }, /^Refused emails to you.*: 2\. /],
  [{ kind: 'webhook', state: 'failed' }, /^Leads that LEAD_WEBHOOK_URL never took: 2\. /],
  [{ kind: 'webhook', queued_at: '2026-03-02T12:00:00.000Z' }, /^Leads that wait for LEAD_WEBHOOK_URL: 2\. /],
] as const)('emails and posts that are %j are a concern', async (changes, expected) => {
  addBackups(1, 1)
  const env = { webhook: { url: 'http://127.0.0.1:1/', secret: webhookSecret } }
  await submit()
  expect((await find(env)).concerns).toEqual([])
  await site.db.updateTable('outbox').set(changes).execute()
  expect((await find(env)).concerns).toEqual([expect.stringMatching(expected)])
  expect(await find(env, () => 'redacted')).toMatchObject({ concerns: ['redacted'] })
})

testOnce('what the operator must know is read from the database and the folders', async () => {
  const { db, context } = site
  await submit()
  site.advanceClock(19 * 60_000)
  // Its emails are not late yet.
  await submit()
  site.advanceClock(60_000)
  const seenAt = site.clock.now.getTime()
  await writeNote(db, 'retention_watch', { days: 30, hasInbox: true, seenAt, steadySince: 0 })
  await storeLeads(db, { state: 'answered', created_at: '2026-02-01T00:00:00.000Z' })
  const unreadable = (hours: number) => ({ uid: hours, tries: 5, at: hoursAgo(hours).toISOString() })
  await writeNote(db, 'mailbox_aside_inbox', { of: '1', messages: [25, 23].map(unreadable) })
  writeFileSync(context.env.BACKUP_DIR, 'not a folder')

  expect((await find({ RETENTION_DAYS: 30 })).concerns).toEqual([
    expect.stringMatching(/^Late emails \(since Monday, March 2 at 10am E.T\): 2\. No attempt has failed\. /),
    expect.stringMatching(/^1 message in the mailbox could not be read\. Look there/),
    expect.stringMatching(/^There is a file where a folder should be.*backups/),
    expect.stringMatching(/^1 old request will be deleted within two days/),
  ])
})
