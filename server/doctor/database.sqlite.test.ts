import { copyFileSync, readdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { expect, test } from 'vitest'
import { takeBackup } from '../backup/take-backup.ts'
import type { EmailKind, FailureCause } from '../database/schema.ts'
import { useTestApp } from '../proof/testing/build-test-app.ts'
import { interruptChange } from '../proof/testing/interrupt-change.ts'
import { claimEmail } from '../proof/testing/outbox.ts'
import { samplePasskey } from '../proof/testing/owner-browser.ts'
import { webhookSecret as LEAD_WEBHOOK_SECRET } from '../proof/testing/receiver.ts'
import { newDataDir } from '../proof/testing/start-program.ts'
import { diagnose } from './diagnose.ts'

const MINUTE_MS = 60_000

const site = useTestApp()

/** What doctor says about the database in a folder, so many minutes later. */
async function check(
  dataDir = site.dataDir,
  minutes = 0,
  mountInfo = '',
  SITE_URL = 'https://www.agency.example',
) {
  const LEAD_WEBHOOK_URL = 'https://crm.example/leads'
  const source = { DATA_DIR: dataDir, SITE_URL, LEAD_WEBHOOK_URL, LEAD_WEBHOOK_SECRET }
  const findings = await diagnose({
    source,
    dns: { lookup: async () => [] } as never,
    ownAddresses: [],
    mountInfo,
    askTime: async () => new Date(),
    now: new Date(site.clock.now.getTime() + minutes * MINUTE_MS),
  })
  return findings
    .filter(({ check }) => ['database', 'emails', 'passkeys'].includes(check))
    .map(({ check, state, seen, advice }) => [check, state, seen, advice].filter(Boolean).join(': '))
}

test('an intact database is ok while the server uses it, and stays as it is', async () => {
  await site.submit()
  const files = () => readdirSync(site.dataDir, { recursive: true }).map(String).toSorted()
  const contents = () => ['leads.db', 'leads.db-wal'].map((name) => readFileSync(join(site.dataDir, name)))
  const before = [files(), contents()]

  expect(await check()).toEqual([
    'database: ok: The database is intact, with 1 lead.',
    'emails: ok: No problem was found.',
    'passkeys: ok: No problem was found.',
  ])
  expect([files(), contents()]).toEqual(before)
})

test('what a stopped server has left is neither changed nor merged, and a folder without a database is only a warning', async () => {
  await site.submit()
  using folder = newDataDir()
  expect(await check(folder.path)).toEqual([
    expect.stringMatching(/^database: warning: There is no leads\.db/),
  ])
  const names = ['leads.db', 'leads.db-wal']
  for (const name of names) copyFileSync(join(site.dataDir, name), join(folder.path, name))
  const contents = () => names.map((name) => readFileSync(join(folder.path, name)))
  const before = contents()

  expect((await check(folder.path))[0]).toBe('database: ok: The database is intact, with 1 lead.')
  expect(contents()).toEqual(before)
})

test('a change that was interrupted is rolled back, and the database is intact', async () => {
  using folder = newDataDir()
  const { path } = await takeBackup(site.env, site.clock.now)
  interruptChange(path, join(folder.path, 'leads.db'))

  expect((await check(folder.path))[0]).toMatch(/^database: ok/)
})

/**
 * Makes two indexes share a root page. Queries still work, so only an integrity check finds this.
 */
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

test.each<['retry' | 'failed', FailureCause, EmailKind, RegExp]>([
  ['retry', 'server', 'owner_notice', /Late emails \(since .*March 2 at .*\): 1\. The last .*EMAILS_A_DAY/],
  ['retry', 'recipient', 'owner_notice', /Refused emails to you, while others go out: 1\. /],
  ['failed', 'server', 'owner_notice', /Failed emails to you: 1\. .* web leads resend --failed$/],
  ['retry', 'server', 'webhook', /Leads that wait for LEAD_WEBHOOK_URL: 1\. The last /],
  ['failed', 'server', 'webhook', /Leads that LEAD_WEBHOOK_URL never took: 1\. .* resend --failed$/],
])('with the outcome %s (%s) of a %s, doctor reports %s', async (outcome, cause, kind, expected) => {
  await site.submit()
  const last = '421 4.7.0 quota exceeded'
  for (const response of ['500 earlier', last])
    await site.outbox.record(await claimEmail(site), site.clock.now, response === last ? outcome : 'retry', {
      smtpCode: 421,
      response,
      cause,
    })
  await site.db.updateTable('outbox').set({ kind }).execute()

  if (outcome === 'retry' && kind === 'webhook')
    expect((await check())[1]).toBe('emails: ok: No problem was found.')
  if (outcome === 'retry' && kind !== 'webhook')
    expect((await check(site.dataDir, 1))[1]).toMatch(
      /^emails: warning: Emails that wait for another try: 1\. The last /,
    )
  expect((await check(site.dataDir, 60, '700 600 0:90 / / ro - overlay overlay ro'))[1]).toMatch(expected)
})

test('passkeys that browsers no longer offer are mentioned', async () => {
  await site.db.insertInto('passkeys').values(samplePasskey()).execute()

  const found =
    /^passkeys: warning: Passkeys that were added at agency\.example cannot.* replace them at https/
  expect((await check())[2]).toMatch(found)
  expect((await check(site.dataDir, 0, '', 'https://agency.example'))[2]).toMatch(/^passkeys: ok/)
})
