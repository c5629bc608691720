import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { timeInWords } from '#shared/inbox/words.ts'
import { officeTimeInWords } from '#shared/office-time-in-words.ts'
import { backupName } from '../backup/backup-files.ts'
import { writeNote } from '../database/settings.ts'
import { readLeads } from '../leads/lead-store.ts'
import { officeTime } from '../leads/office-time.ts'
import { MAIL_PATIENCE_MS } from '../outbox/backlog.ts'
import { isOnPostgres, useTestApp } from '../proof/testing/build-test-app.ts'
import { atOffice, leadTools } from '../proof/testing/leads.ts'
import { sampleRequest } from '../proof/testing/sample-request.ts'
import { findConcerns } from './concerns.ts'
import { digestEmail } from './digest-email.ts'
import type { DigestFacts } from './digest-facts.ts'
import { listedIn } from './digest-lists.ts'
import { createOwnerDigest, lastDue } from './owner-digest.ts'

const sender = {
  mailFrom: { address: 'site@agency.example' },
  siteUrl: 'https://agency.example',
  hasInbox: true,
}
const HOUR_MS = 60 * 60 * 1000
/** The UTC hour when that day's digest is due, such as "2026-03-02T12". */
const digestOf = (day: string) => atOffice(`${day}T07:00`).toISOString().slice(0, 13)

test.each([
  ['2026-03-02T06:59', '2026-02-23', '2026-03-01'],
  ['2026-03-02T07:00', '2026-03-02', '2026-03-02'],
  ['2026-03-05T15:00', '2026-03-02', '2026-03-05'],
  // In New York, the clocks went forward the day before.
  ['2026-03-09T07:30', '2026-03-09', '2026-03-09'],
])('at %s, the last weekly digest was due on %s, and the last daily one on %s', (now, weekly, daily) => {
  const due = lastDue(atOffice(now))

  expect([due.weekly, due.daily]).toEqual([atOffice(`${weekly}T07:00`), atOffice(`${daily}T07:00`)])
})

const site = useTestApp()

const sendIfDue = (retentionDays = 0) =>
  createOwnerDigest({
    db: site.db,
    env: { ...site.context.env, RETENTION_DAYS: retentionDays },
    waitingSince: () => new Date(site.clock.now.getTime() - MAIL_PATIENCE_MS),
    mailFrom: { address: 'site@agency.example' },
    mailTo: ['owner@agency.example'],
    now: () => site.clock.now,
    onQueued: () => {},
  })()

// A digest is due at 7 a.m., office time. Running the job in every hour, not only in these, would take five times as long.
const WATCHED = ['00', '06', '07', '08', '15']
const officeHour = () => officeTime(site.clock.now).slice(11, 13)

/**
 * Lets hours pass, with a daily backup, and runs the job in the first hour and in each of the `WATCHED` hours. Returns the
 * UTC hours when digests were queued.
 */
async function runHours(hours: number, retentionDays = 0) {
  for (let hour = 0; hour < hours; hour++) {
    if (hour === 0 || WATCHED.includes(officeHour())) {
      await sendIfDue(retentionDays)
      await site.db.updateTable('outbox').set({ state: 'sent' }).where('kind', '=', 'digest').execute()
    }
    site.advanceClock(HOUR_MS)
    if (hour % 24 === 0) await addBackup(site.clock.now)
  }
  const digests = await site.db
    .selectFrom('outbox')
    .selectAll()
    .where('kind', '=', 'digest')
    .orderBy('id')
    .execute()
  return digests.map(({ queued_at }) => queued_at.slice(0, 13))
}

async function addBackup(at: Date) {
  if (isOnPostgres)
    return void (await writeNote(site.db, 'backup_taken', { at: at.toISOString(), isLasting: true }))
  mkdirSync(site.env.BACKUP_DIR, { recursive: true })
  writeFileSync(join(site.env.BACKUP_DIR, backupName(at)), '')
}

async function newestDigest() {
  const { content, message_id } = await site.db
    .selectFrom('outbox')
    .selectAll()
    .where('kind', '=', 'digest')
    .orderBy('id', 'desc')
    .executeTakeFirstOrThrow()
  const job = { recipient: 'owner@agency.example', messageId: message_id }
  const facts: DigestFacts = JSON.parse(content ?? '')
  const leads = await readLeads(site.db, listedIn(facts))
  return digestEmail(facts, leads, job, sender)
}

// The test clock starts on Monday, 2026-03-02, during office hours.
test('a week without new requests is reported on Monday', async () => {
  expect(await runHours(15 * 24)).toEqual([digestOf('2026-03-09'), digestOf('2026-03-16')])
  const { subject, text } = await newestDigest()
  expect(subject).toBe('No new requests at agency.example')
  if (!isOnPostgres)
    expect(text).toMatch(/The backups are on the same disk as the requests|on a temporary disk/)
})

test('a digest is sent daily while an email is waiting', async () => {
  await runHours(1)
  await site.submitLead(sampleRequest({}), { client: 'c', idempotencyKey: null })
  const waiting = (atOffice('2026-03-04T07:00').getTime() - site.clock.now.getTime()) / HOUR_MS

  expect(await runHours(48)).toEqual([digestOf('2026-03-03'), digestOf('2026-03-04')])
  const { subject, text } = await newestDigest()
  expect(subject).toMatch(/^Action needed: /)
  expect(text).toContain(
    `1 email cannot be sent; the oldest has been waiting for ${timeInWords(waiting * 60)}`,
  )
})

test('a digest lists new leads, older open leads and suspected spam, with the delays and the reasons for suspicion', async () => {
  const before = await site.submit({ firstName: 'Bea', lastName: 'Before', message: 'Old' })
  await runHours(1)
  site.advanceClock(24 * HOUR_MS)
  const honest = await site.submit({ firstName: 'Noor', company: 'Noor & Sons', message: 'A new roof' })
  const { suspect } = leadTools(site)
  const spam = await site.submit({ firstName: 'Max', lastName: 'Rank', message: 'SEO' })
  await suspect(spam.reference)
  const reasons = '["Reads like an offer","3 links"]'
  await site.db.updateTable('leads').set({ spam_reasons: reasons }).execute()
  await site.db.updateTable('outbox').set({ state: 'sent' }).execute()

  await runHours(6 * 24)
  const { text, html, subject } = await newestDigest()

  expect(subject).toBe('1 new request, 1 suspect at agency.example')
  const url = 'https://agency.example/inbox'
  const [, people = ''] = /(?=New:\n)(.*?)\n\nThe week of/s.exec(text) ?? []
  expect(people.split('\n').filter((line) => line && !line.includes(' days over, '))).toEqual([
    ...['New:', '- Noor Lovelace, Noor & Sons', `  ${url}/${honest.reference}`],
    ...['Still open from before:', '- Bea Before, Analytical Roofing', `  ${url}/${before.reference}`],
    ...[
      'Suspected spam:',
      '- Max Rank, Analytical Roofing',
      `  Reads like an offer; 3 links (${spam.reference})`,
    ],
    `  ${url}/${spam.reference}`,
  ])
  const received = officeTimeInWords(Date.parse('2026-03-03T16:00Z'))
  expect(people).toMatch(new RegExp(` days over, .*, ${received}, ${honest.reference}`))
  expect(text).toContain('2 people are waiting, 2 of them longer than promised.')
  for (const name of ['Noor Lovelace, Noor &#38; Sons', 'Bea Before', 'Max Rank'])
    expect(html).toContain(name)
})

test('a digest names at most 20 new and 20 older leads, and says where the others are', async () => {
  await runHours(1)
  for (let number = 0; number < 21; number++) await site.submit({ message: `Request ${number}` })
  for (const title of ['New', 'Still open from before']) {
    // Emails to the owner are waiting, so a digest is due each day.
    await runHours(24)
    const { text } = await newestDigest()
    expect(text).toContain(`${title}:`)
    expect(text.match(/^- Ada/gm)).toHaveLength(20)
    expect(text).toContain('The inbox shows the others')
  }
})

test('a digest is stored without names, and does not name a person whose data was erased before it was sent', async () => {
  await runHours(1)
  const { reference } = await site.submit({
    firstName: 'Eve',
    lastName: 'Gone',
    company: 'Gone Ltd',
    message: 'x',
  })
  await runHours(48)
  const written = await newestDigest()
  await site.db.deleteFrom('leads').where('reference', '=', reference).execute()
  const { content } = await site.db.selectFrom('outbox').select('content').executeTakeFirstOrThrow()

  const rewritten = await newestDigest()

  expect(written.text + written.html).toContain('Eve Gone')
  expect(content).toContain(reference)
  expect(content + rewritten.text + rewritten.html).not.toMatch(/Gone|\bEve\b|ada@/)
})

const noBacklog = { waiting: 0, oldestAt: null, givenUp: 0 }
const healthy: DigestFacts = {
  since: '2026-02-23T12:00:00.000Z',
  until: '2026-03-02T12:00:00.000Z',
  newLeads: { count: 0, suspects: 0, listed: [], suspected: [] },
  open: { waiting: 0, late: 0, listed: [], hasMore: false },
  week: { week: '2026-02-23', leads: 0, due: 0, answered: 0, onTime: 0, medianMinutesToAnswer: null },
  backlog: noBacklog,
  databaseBytes: 1_000_000,
  freeBytes: 10_000_000_000,
  lastBackupAt: '2026-03-02T08:00:00.000Z',
  backupEveryHours: 24,
  backupRisks: [],
  expiring: 0,
}

test.each<[string, Partial<DigestFacts>, RegExp]>([
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
    'leads that the webhook does not accept',
    { backlog: { ...noBacklog, webhook: { waiting: 2, oldestAt: '2026-03-02T09:00:00.000Z', givenUp: 0 } } },
    /^2 requests cannot be posted to LEAD_WEBHOOK_URL; the oldest has been waiting for 3 h/,
  ],
  ['a missing backup', { lastBackupAt: null }, /no backup/],
  ['a missing offsite backup', { offsite: { at: null } }, /There is no offsite backup yet/],
  ['an old offsite backup', { offsite: { at: '2026-02-28T08:00:00.000Z' } }, /offsite backup is 2 days old/],
  ['two missed backups', { backupEveryHours: 1, lastBackupAt: '2026-03-02T07:59:00.000Z' }, /is 4 h old/],
  ['an old backup', { lastBackupAt: '2026-02-27T00:00:00.000Z' }, /last backup is \d days old/],
  ['an almost full disk', { freeBytes: 400_000_000 }, /The disk has only 400.0 MB left/],
  ['leads that will soon be deleted', { expiring: 2 }, /2 old requests will be deleted within two days/],
])('a digest asks for action because of %s', (_name, change, expected) => {
  expect(findConcerns(healthy)).toEqual([])
  expect(findConcerns({ ...healthy, ...change })).toEqual([expect.stringMatching(expected)])
})
