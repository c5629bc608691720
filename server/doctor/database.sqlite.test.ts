import { copyFileSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { expect, test } from 'vitest'
import { takeBackup } from '../backup/take-backup.ts'
import { useTestApp } from '../proof/testing/build-test-app.ts'
import { claimEmail } from '../proof/testing/outbox.ts'
import { newDataDir } from '../proof/testing/start-program.ts'
import { diagnose } from './diagnose.ts'

const MINUTE_MS = 60_000

const site = useTestApp()

/** What doctor says about the database in a folder, so many minutes later. */
async function check(dataDir = site.dataDir, minutes = 0, settings = {}) {
  const findings = await diagnose({
    ...{ source: { DATA_DIR: dataDir, ...settings }, dns: {} as never, ownAddresses: [], mountInfo: '' },
    ...{ askTime: async () => new Date(), now: new Date(site.clock.now.getTime() + minutes * MINUTE_MS) },
  })
  return findings
    .filter(({ check }) => ['database', 'emails', 'passkeys'].includes(check))
    .map(({ check, state, seen, advice }) => [check, state, seen, advice].filter(Boolean).join(': '))
}

test('an intact database is ok while the server uses it', async () => {
  await site.submit()

  expect(await check()).toEqual([
    'database: ok: The database is intact, with 1 lead.',
    'emails: ok: No problem was found.',
    'passkeys: ok: No problem was found.',
  ])
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

  expect(await check(folder.path)).toEqual([
    expect.stringMatching(/^database: problem: leads\.db is .*restore a backup/),
  ])
})

test.each([
  ['empty', (sqlite: Sqlite.Database) => sqlite, /Start the server once/],
  [
    "another program's",
    (sqlite: Sqlite.Database) => sqlite.exec('create table notes (text)'),
    /another program/,
  ],
])('a database that is %s is a problem', async (_name, fill, sentence) => {
  using folder = newDataDir()
  fill(new Sqlite(join(folder.path, 'leads.db'))).close()

  expect(await check(folder.path)).toEqual([expect.stringMatching(sentence)])
})

/** Records the outcome of the next email's attempt. */
const record = async (outcome: 'retry' | 'failed', smtpCode: number, response: string) =>
  site.outbox.record(await claimEmail(site), site.clock.now, outcome, { smtpCode, response }, 1)

test('late emails are reported with the reply of the mail server and its meaning', async () => {
  await site.submit()
  await record('retry', 421, '421 4.7.0 quota exceeded')

  expect((await check())[1]).toBe('emails: ok: No problem was found.')
  expect((await check(site.dataDir, 60))[1]).toMatch(
    /^emails: problem: Late emails \(since 2026-03-02.*\): 1\. The last failure: 421 4\.7\.0 quota exceeded: .*EMAILS_A_DAY/,
  )
})

test('a failed email is reported with a command that sends it again', async () => {
  await site.submit()
  await record('failed', 550, '550 who?')

  expect((await check())[1]).toMatch(
    /^emails: problem: Failed emails to you: 1\. The last failure: 550 who\?: .*: npm run leads -- resend --failed$/,
  )
})
