import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { writeNote } from '../database/notes.ts'
import { backupName } from '../files/backup-list.ts'
import { testOnce, useTestApp } from '../proof/testing/build-test-app.ts'
import { leadTools, storeLeads } from '../proof/testing/leads.ts'
import { OWNERS } from '../proof/testing/reminder-tools.ts'
import { findBackupNotes, findConcerns, gatherFacts, type OperatorFacts } from './concerns.ts'

const site = useTestApp({ mailTo: OWNERS })
const { submit } = leadTools(site)

const noBacklog = {
  waiting: 0,
  oldestAt: null,
  givenUp: 0,
  refused: 0,
  refusedSince: null,
  webhook: undefined,
}
const madeAt = (at: string): OperatorFacts['backup'] => ({
  at: new Date(at),
  risks: [],
  offsite: undefined,
  everyHours: 24,
  isReadable: true,
})
const withOffsite = (offsite: OperatorFacts['backup']['offsite']) => ({ ...healthy.backup, offsite })
const healthy: OperatorFacts = {
  at: new Date('2026-03-02T12:00:00.000Z'),
  backlog: noBacklog,
  freeBytes: 10_000_000_000,
  backup: madeAt('2026-03-02T08:00:00.000Z'),
  expiring: 0,
  trouble: null,
  unreadable: 0,
}

const webhook = { waiting: 0, oldestAt: null, givenUp: 0 }

testOnce.each<[string, Partial<OperatorFacts>, RegExp]>([
  [
    'a failed email',
    { backlog: { ...noBacklog, givenUp: 1 } },
    /The server gave up on 1 email to you\. Find/,
  ],
  [
    'refused emails',
    { backlog: { ...noBacklog, refused: 2 } },
    /^The mail server refuses 2 emails to you because of the recipient or the content, but takes others/,
  ],
  [
    'leads that could not be posted',
    { backlog: { ...noBacklog, webhook: { ...webhook, givenUp: 2 } } },
    /^The server gave up on posting 2 requests to LEAD_WEBHOOK_URL. To post them again/,
  ],
  [
    'leads that the webhook does not accept',
    { backlog: { ...noBacklog, webhook: { ...webhook, waiting: 2, oldestAt: '2026-03-02T09:00:00.000Z' } } },
    /^2 requests cannot be posted to LEAD_WEBHOOK_URL; the oldest has been waiting for 3 h/,
  ],
  ['a missing backup', { backup: { ...healthy.backup, at: undefined } }, /no backup/],
  [
    'a missing offsite backup',
    { backup: withOffsite({ name: null, at: null }) },
    /There is no offsite backup yet/,
  ],
  [
    'an old offsite backup',
    { backup: withOffsite({ name: 'old', at: new Date('2026-02-28T08:00:00.000Z') }) },
    /offsite backup is 2 days old/,
  ],
  ['two missed backups', { backup: { ...madeAt('2026-03-02T07:59:00.000Z'), everyHours: 1 } }, /is 4 h old/],
  ['an old backup', { backup: madeAt('2026-02-27T00:00:00.000Z') }, /last backup is \d days old/],
  ['an almost full disk', { freeBytes: 400_000_000 }, /The disk has only 400.0 MB left/],
  ['leads that will soon be deleted', { expiring: 2 }, /2 old requests will be deleted within two days/],
])('a morning email asks for action because of %s', (_name, change, expected) => {
  expect(findConcerns(healthy)).toEqual([])
  expect(findConcerns({ ...healthy, ...change })).toEqual([expect.stringMatching(expected)])
})

testOnce.each([
  ['same disk', /The backups are on the same disk as the requests/],
  ['disk does not last', /The backup of 2026-03-02 is on a temporary disk/],
] as const)('on Mondays, the email mentions a risk for the backups: %s', (risk, expected) => {
  const facts = { ...healthy, backup: { ...healthy.backup, risks: [risk] } }
  const notes = findBackupNotes(facts)
  expect(notes).toEqual([expect.stringMatching(expected)])
  expect(findConcerns(facts)).toEqual([])
})

testOnce('what the operator must know is read from the database and the folders', async () => {
  const { db, dataDir, context } = site
  const env = { ...context.env, RETENTION_DAYS: 30 }
  await submit()
  site.advanceClock(19 * 60_000)
  // Its emails are not late yet.
  await submit()
  const now = new Date(site.clock.now.getTime() + 60_000)
  await writeNote(db, 'retention_watch', { days: 30, seenAt: now.getTime(), steadySince: 0 })
  await storeLeads(db, { state: 'answered', created_at: '2026-02-01T00:00:00.000Z' })
  const unreadable = (hours: number) => {
    const at = new Date(now.getTime() - hours * 60 * 60_000).toISOString()
    return { uid: hours, tries: 5, at, dueAt: null }
  }
  await writeNote(db, 'mailbox_aside_inbox', { of: '1', messages: [25, 23].map(unreadable) })
  mkdirSync(join(dataDir, 'offsite'))
  const backup = backupName(new Date('2026-02-27T12:00Z'))
  writeFileSync(join(dataDir, 'offsite', 'offsite.json'), JSON.stringify({ backup }))
  rmSync(env.BACKUP_DIR, { recursive: true, force: true })
  writeFileSync(env.BACKUP_DIR, 'not a folder')

  const concerns = findConcerns(await gatherFacts({ db, env }, now))

  expect(concerns).toEqual([
    expect.stringMatching(/^2 emails cannot be sent; the oldest has been waiting for 20 min/),
    expect.stringMatching(/^1 message in the mailbox could not be read/),
    expect.stringMatching(/^The backup folder cannot be read/),
    expect.stringMatching(/^The newest offsite backup is 3 days old/),
    expect.stringMatching(/^1 old request will be deleted/),
  ])
})
