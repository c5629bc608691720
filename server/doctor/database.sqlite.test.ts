import { copyFileSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { takeBackup } from '../backup/take-backup.ts'
import { findDeliveryMode } from '../outbox/delivery-mode.ts'
import { bounceReceipt } from '../proof/testing/bounce-receipt.ts'
import { buildTestApp } from '../proof/testing/build-test-app.ts'
import { claimEmail } from '../proof/testing/claim-email.ts'
import { leaveJournal } from '../proof/testing/leave-journal.ts'
import { sampleRequest } from '../proof/testing/sample-request.ts'
import { newDataDir } from '../proof/testing/start-program.ts'
import { checkDatabase } from './database.ts'

const HOUR_MS = 60 * 60 * 1000

let site: Awaited<ReturnType<typeof buildTestApp>>
beforeEach(async () => {
  site = await buildTestApp()
  await site.submitLead(sampleRequest(), { client: 'c', idempotencyKey: null })
})
afterEach(() => site[Symbol.asyncDispose]())

const after = (hours: number) => new Date(site.clock.now.getTime() + hours * HOUR_MS)
const check = (now = site.clock.now) => checkDatabase(site.dataDir, {}, now)
const problem = (name: string, seen: RegExp) =>
  expect.objectContaining({ check: name, state: 'problem', seen: expect.stringMatching(seen) })

test('an intact database is ok while the server uses it', async () => {
  expect((await check()).map(({ state }) => state)).toEqual(['ok', 'ok', 'ok'])
  expect((await check())[0]?.seen).toBe('leads.db is intact, with 1 lead.')
})

/** Makes two indexes share a root page. Queries still work, so only an integrity check finds this. */
const damageIndex = (path: string) => {
  const sqlite = new Sqlite(path).unsafeMode()
  sqlite.pragma('writable_schema = ON')
  sqlite.exec(`update sqlite_master set rootpage = (select rootpage from sqlite_master where name = 'outbox_failed')
    where name = 'leads_by_content'`)
  sqlite.close()
}

test.each([
  ['damaged where no query reads', damageIndex],
  ['truncated', (path: string) => truncateSync(path, 20_000)],
  ['not a database', (path: string) => writeFileSync(path, 'my shopping list'.repeat(1000))],
])('a database that is %s is reported', async (_name, damage) => {
  using folder = newDataDir()
  const { path } = await takeBackup(site.env, site.clock.now)
  damage(path)
  copyFileSync(path, join(folder.path, 'leads.db'))

  expect(await checkDatabase(folder.path, {}, site.clock.now)).toContainEqual(
    problem('database', /is damaged|cannot be read/),
  )
})

test('an empty database is only a warning', async () => {
  using folder = newDataDir()
  writeFileSync(join(folder.path, 'leads.db'), '')

  expect(await checkDatabase(folder.path, {}, site.clock.now)).toMatchObject([
    { state: 'warning', seen: 'leads.db is empty or from an older version.' },
  ])
})

test("another program's database is a problem", async () => {
  using folder = newDataDir()
  new Sqlite(join(folder.path, 'leads.db')).exec('create table notes (text)').close()

  expect(await checkDatabase(folder.path, {}, site.clock.now)).toEqual([
    problem('database', /another program/),
  ])
})

test('a database from a newer version is a problem', async () => {
  await site.db
    .insertInto('kysely_migration' as never)
    .values({ name: '999-wonders', timestamp: '' } as never)
    .execute()

  expect(await check()).toContainEqual(problem('database', /newer version/))
})

test('if a change to the database was interrupted, the check rolls it back and reports no damage', async () => {
  using folder = newDataDir()
  const { path } = await takeBackup(site.env, site.clock.now)
  copyFileSync(path, join(folder.path, 'leads.db'))
  leaveJournal(join(folder.path, 'leads.db'))

  const findings = await checkDatabase(folder.path, {}, site.clock.now)

  expect(findings[0]?.seen).toBe('leads.db is intact, with 1 lead.')
})

test('a locked database is not reported as damaged', async () => {
  using folder = newDataDir()
  const { path } = await takeBackup(site.env, site.clock.now)
  copyFileSync(path, join(folder.path, 'leads.db'))
  const other = new Sqlite(join(folder.path, 'leads.db'))
  other.exec('begin exclusive')

  const findings = await checkDatabase(folder.path, {}, site.clock.now)

  other.close()
  expect(findings).toMatchObject([{ state: 'warning', seen: expect.stringContaining('is in use') }])
})

test.each(['leads.db', 'leads-before-restore-2026-03-02T08-00-00Z.db'])(
  'an interrupted restore is reported while the earlier leads are in %s',
  async (present) => {
    using folder = newDataDir()
    writeFileSync(join(folder.path, present), '')
    writeFileSync(join(folder.path, 'leads.db.restoring-2026-03-02T08-00-00Z'), '')

    expect(await checkDatabase(folder.path, {}, site.clock.now)).toMatchObject([
      {
        state: 'problem',
        seen: 'A restore was interrupted.',
        advice: 'Start the server: it finishes the restore.',
      },
    ])
  },
)

test('leads that a restore set aside before the owner got an email about them are reported until they are restored', async () => {
  using folder = newDataDir()
  const backup = await takeBackup(site.env, site.clock.now)
  await site.submitLead(sampleRequest({ message: 'later' }), { client: 'c', idempotencyKey: null })
  const newer = await takeBackup(site.env, after(1))
  const aside = join(folder.path, 'leads-before-restore-2026-03-02T08-00-00Z.db')
  copyFileSync(newer.path, aside)
  copyFileSync(backup.path, join(folder.path, 'leads.db'))
  const checkThere = () => checkDatabase(folder.path, {}, site.clock.now)

  expect(await checkThere()).toContainEqual({
    check: 'earlier leads',
    state: 'warning',
    seen: `1 email to the owner was never sent. The leads are only in ${aside}.`,
    advice: expect.stringContaining('open the file in any SQLite tool'),
  })
  copyFileSync(newer.path, join(folder.path, 'leads.db'))
  expect(await checkThere()).not.toContainEqual(expect.objectContaining({ check: 'earlier leads' }))
})

test('an unreadable file from an earlier restore does not stop the check', async () => {
  writeFileSync(join(site.dataDir, 'leads-before-restore-2026-03-02T08-00-00Z.db'), 'my shopping list')

  expect((await check()).map(({ state }) => state)).toEqual(['ok', 'ok', 'ok'])
})

test('a clock that was set back is reported', async () => {
  expect(await check(after(-24))).toContainEqual(
    problem('clock', /^The database was last written at 2026-03-02/),
  )
})

test('a late email is reported with the reply of the mail server', async () => {
  await site.outbox.record(
    await claimEmail(site),
    site.clock.now,
    'retry',
    { smtpCode: 421, response: '421 busy' },
    1,
  )

  expect((await check()).at(-1)?.state).toBe('ok')
  expect(await check(after(1))).toContainEqual(
    problem('waiting emails', /^1 email can't be sent.* The last failure: 421 busy$/),
  )
})

test('waiting emails are counted', async () => {
  const [emails] = (await check()).slice(-1)
  await site.outbox.record(await claimEmail(site), site.clock.now, 'sent', {
    smtpCode: 250,
    response: '250 ok',
  })
  const [none] = (await checkDatabase(site.dataDir, { smtpUrl: 'smtp://localhost' }, site.clock.now)).slice(
    -1,
  )

  expect(emails).toMatchObject({
    state: 'ok',
    seen: '1 email is waiting. None is late, and none has failed.',
  })
  expect(none).toMatchObject({ state: 'ok', seen: 'No email is waiting, and none has failed.' })
})

test('waiting emails are reported in addition to failed emails', async () => {
  await site.outbox.record(await claimEmail(site), site.clock.now, 'failed', {
    smtpCode: 550,
    response: '550 who?',
  })
  await site.submitLead(sampleRequest({ message: 'later' }), { client: 'c', idempotencyKey: null })

  const findings = await check(after(1))

  expect(findings).toContainEqual(problem('waiting emails', /^The server gave up on 1 email to the owner/))
  expect(findings).toContainEqual(problem('waiting emails', /^1 email can't be sent/))
})

test('a failed email is reported', async () => {
  await site.outbox.record(await claimEmail(site), site.clock.now, 'failed', {
    smtpCode: 550,
    response: '550 who?',
  })

  expect(await check()).toContainEqual(
    problem('waiting emails', /^The server gave up on 1 email to the owner\..* 550 who\?$/),
  )
})

test('a missing SMTP_URL is a problem if it was set before', async () => {
  await findDeliveryMode(site.db, 'smtp://localhost')

  expect(await check()).toContainEqual(problem('waiting emails', /^SMTP_URL is not set, but/))
})

test('recently bounced receipts are reported with advice', async () => {
  await using other = await buildTestApp({ sendsReceipts: true })
  await bounceReceipt(other)
  const checkAfter = (days: number) =>
    checkDatabase(other.dataDir, {}, new Date(other.clock.now.getTime() + days * 24 * HOUR_MS))

  expect(await checkAfter(0)).toContainEqual({
    check: 'receipts',
    state: 'warning',
    seen: "1 receipt bounced in the last 7 days: the visitor's address may be wrong.",
    advice: 'Call instead. To see the leads: leads list --mail bounced',
  })
  expect(await checkAfter(8)).not.toContainEqual(expect.objectContaining({ check: 'receipts' }))
})
