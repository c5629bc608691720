import { randomUUID } from 'node:crypto'
import {
  cpSync,
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { lockDataDirectory } from '../database/lock-data-directory.ts'
import { useFolder, useTestApp } from '../proof/testing/build-test-app.ts'
import { anna, answerTools, messagesIn, queryFile } from '../proof/testing/leads.ts'
import { claimEmail } from '../proof/testing/outbox.ts'
import { samplePasskey, sampleSession } from '../proof/testing/owner-browser.ts'
import { runInThisProcess } from '../proof/testing/run-program.ts'
import { restoreBackup } from './restore-backup.ts'
import { takeBackup } from './take-backup.ts'

const HOUR_MS = 60 * 60 * 1000
const now = new Date('2026-03-02T08:00:00Z')
const at = now.toISOString()
const asideName = 'leads-before-restore-2026-03-02T08-00-00-000Z.db'

const site = useTestApp()
const killed = useFolder()

const { answer } = answerTools(site)
const submit = (message: string) => site.submit({ message })
/**
 * Copies the running server's files as a kill would leave them: the newest leads are only in the
 * WAL.
 */
const kill = () => cpSync(site.dataDir, killed.path, { recursive: true })
const restore = (...file: string[]) => runInThisProcess('restore', file, { DATA_DIR: killed.path })
const fileIn = (name: string) => join(killed.path, name)
const restoreHere = (file: string, onKeep = () => {}) =>
  restoreBackup({ dataDir: killed.path, backupDir: fileIn('backups'), file, now, onKeep })
const messages = (name: string) => messagesIn(fileIn(name))
const restored = (query: string) => queryFile(fileIn('leads.db'), query)

test('a restore brings back the leads in the backup, and keeps all current leads, even those in the WAL, in another file, which can be restored', async () => {
  const path = await killWithTwoLeads()

  const { stdout } = await restore(path)

  expect(stdout).toMatch(
    /^Restored 1 lead, the newest from 2026-03-02T15:00:00.000Z\.\n.* kept in (.*)\.\n1 email was/,
  )
  expect(stdout).not.toContain('after this backup')
  const aside = readdirSync(killed.path).find((name) => /^leads-before-restore-.*\.db$/.test(name)) ?? ''
  expect([messages('leads.db'), messages(aside)]).toEqual([['1'], ['1', '2']])
  await restore(aside)
  expect(messages('leads.db')).toEqual(['1', '2'])
})

test('a restore says how many leads arrived after the backup, and how many of those were never emailed to the owner', async () => {
  await submit('1')
  const { path } = await takeBackup(site.env, now)
  site.advanceClock(HOUR_MS)
  for (const message of ['2', '3']) await submit(message)
  const { reference } = await submit('4')
  for (const outcome of ['sent', 'listed'] as const)
    await site.outbox.record(await claimEmail(site), site.clock.now, outcome, {
      smtpCode: null,
      response: '',
    })
  await answer(reference)
  // One of two owners got the notice of the second lead; the notice of a reply still waits.
  const sent = site.db.selectFrom('outbox').selectAll().where('state', '=', 'sent')
  const { id: _, ...notice } = await sent.executeTakeFirstOrThrow()
  const others = [null, '{"key":"reply"}'].map((content) => ({
    ...notice,
    content,
    state: 'queued' as const,
  }))
  await site.db.insertInto('outbox').values(others).execute()
  kill()

  const { stdout } = await restore(path)

  expect(stdout).toMatch(
    /kept in .*leads-before-restore-.*\.db\.\n3 leads arrived after this backup and are only in that file; you never got an email about 1 of them\.\n/,
  )
})

test('a restore signs every owner out, brings back no passkey, and notes which backup it was', async () => {
  await sql`insert into sign_ins (id, kind, owner, code, client, is_known, created_at, ends_at)
    values ('s', 'code', ${anna}, 'c', 'c', 0, ${at}, ${at})`.execute(site.db)
  await site.db.insertInto('sessions').values(sampleSession()).execute()
  await site.db.insertInto('passkey_challenges').values({ id: 'c', ends_at: at }).execute()
  await site.db.insertInto('passkeys').values(samplePasskey()).execute()
  const { path } = await takeBackup(site.env, now)

  await restore(path)

  const counts = ['sign_ins', 'sessions', 'passkey_challenges', 'passkeys'].map((table) =>
    restored(`select count(*) from ${table}`).flat(),
  )
  const [note] = restored("select value from settings where name = 'restored_backup'")
  expect(counts.flat()).toEqual([0, 0, 0, 0])
  expect(JSON.parse(String(note))).toEqual({ backupAt: at })
})

test('if an answer was still waiting when the backup was made, a restore reopens the lead, unless it is spam', async () => {
  const text = 'Yes, we can.'
  for (const message of ['open', 'sent', 'spam', 'won']) {
    const { reference } = await submit(message)
    for (const last of ['Earlier.', text]) await answer(reference, { key: randomUUID(), text: last })
  }
  const idOf = (message: string) => site.db.selectFrom('leads').select('id').where('message', '=', message)
  const leads = site.db.updateTable('leads')
  // Answered by email, too.
  const at16 = '2026-03-02T16:00:00.000Z'
  const won = { result: 'won', follow_up_at: '2026-03-09T14:00:00.000Z', answered_at: at16 } as const
  await leads.set(won).where('message', '=', 'won').execute()
  await leads.set({ state: 'spam' }).where('message', '=', 'spam').execute()
  for (const state of ['sent', 'sending'] as const)
    await site.db
      .updateTable('outbox')
      .set({ state })
      .where('lead_id', 'in', idOf(state === 'sent' ? 'sent' : 'spam'))
      .execute()
  const draft = { owner: anna, text: 'Begun since.', updated_at: at }
  const { id } = await idOf('won').executeTakeFirstOrThrow()
  await site.db
    .insertInto('lead_drafts')
    .values({ lead_id: id, ...draft })
    .execute()
  const { path } = await takeBackup(site.env, now)

  const { stdout } = await restore(path)

  expect(stdout).toContain('\n3 leads had an answer waiting to be sent when the backup was made. ')
  const trouble = expect.stringContaining('Your answer may not have been sent')
  const leadsAfter =
    restored(`select message, state, list, substr(sort_key, 1, 1), version, trouble, answered_at is null, follow_up_at
    from leads order by message`)
  expect(leadsAfter).toEqual([
    ['open', 'open', 'open', '0', 3, trouble, 1, null],
    ['sent', 'answered', 'answered', '2', 2, null, 0, null],
    ['spam', 'spam', 'spam', '2', 3, trouble, 0, null],
    ['won', 'open', 'open', '0', 3, trouble, 0, null],
  ])
  const events = restored(`select message, who, from_value, to_value, text from lead_events join leads
    on leads.id = lead_id where what = 'answer_failed' order by message`)
  expect(events).toEqual([
    ['open', 'server', 'answered', 'open', trouble],
    ['spam', 'server', 'spam', 'spam', trouble],
    ['won', 'server', 'answered', 'open', trouble],
  ])
  const drafts = restored('select message, owner, text from lead_drafts join leads on leads.id = lead_id')
  expect(drafts.toSorted()).toEqual([
    ['open', anna, text],
    ['spam', anna, text],
    ['won', anna, 'Begun since.'],
  ])
  expect(restored("select kind from outbox where state <> 'sent' and kind <> 'owner_notice'")).toEqual([])
})

test('a restore gives up on waiting webhook posts, deletes waiting receipts, reminders, and morning emails, and keeps owner notices and their lists queued', async () => {
  await submit('1')
  const { path } = await takeBackup(site.env, now)
  const backup = new Sqlite(path)
  const add = backup.prepare(
    `insert into outbox (lead_id, kind, recipient, priority, state, queued_at, due_at, message_id)
     select lead_id, ?, ?, 0, ?, queued_at, due_at, ? from outbox where id = 1`,
  )
  const rows = ['visitor_receipt queued', 'visitor_receipt sending', 'visitor_receipt sent', 'morning queued']
  for (const row of [
    ...rows,
    'reminder queued',
    'notice_list queued',
    'webhook queued',
    'webhook sending',
    'webhook sent',
  ]) {
    const [kind, state] = row.split(' ')
    add.run(kind, 'x@example.com', state, row)
  }
  backup.exec('update leads set reminded_of = due_at')
  backup.exec("insert into outbox_attempts values (2, '2026-03-02T08:00:00.000Z', 'retry', 450, 'later')")
  backup.exec("insert into settings values ('morning_days', '[\"2026-03-01\"]')")
  backup.close()
  kill()

  const { stdout } = await restore(path)

  expect(stdout).toContain('\n2 emails were still waiting to be sent when the backup was made. ')
  expect(stdout).toContain('\n2 leads were waiting to be posted to LEAD_WEBHOOK_URL')
  expect(restored('select kind, state from outbox order by id')).toEqual([
    ['owner_notice', 'queued'],
    ['visitor_receipt', 'sent'],
    ['notice_list', 'queued'],
    ['webhook', 'failed'],
    ['webhook', 'failed'],
    ['webhook', 'sent'],
  ])
  expect(restored('select outcome from outbox_attempts')).toEqual([['failed'], ['failed']])
  // The reminder was not sent, so another one is queued. None of them was an answer.
  expect(restored('select reminded_of, state, trouble from leads')).toEqual([[null, 'open', null]])
  // So no second morning email comes today.
  expect(restored("select value from settings where name = 'morning_days'")).toEqual([])
})

test('restore refuses to run while the server is running', async () => {
  const { path } = await takeBackup(site.env, now)
  kill()
  const unlock = lockDataDirectory(killed.path)

  const { code, stderr } = await restore(path)

  unlock()
  expect([code, stderr]).toEqual([1, expect.stringMatching(/^A server is already using .* Stop it first/)])
})

const foreign = /belongs to a newer version of this program, or to another program/
test.each([
  [
    'truncated',
    /malformed|not a database|does not match|disk image/,
    (path: string) => truncateSync(path, 20_000),
  ],
  [
    'not a database',
    /not a database/,
    (path: string) => writeFileSync(path, 'my shopping list'.repeat(1000)),
  ],
  [
    "another program's database",
    foreign,
    (path: string) => {
      rmSync(path)
      new Sqlite(path).exec('create table customers (id)').close()
    },
  ],
  [
    'without migrations',
    foreign,
    (path: string) => new Sqlite(path).exec('drop table kysely_migration').close(),
  ],
  [
    'from a newer version',
    foreign,
    (path: string) => new Sqlite(path).exec("insert into kysely_migration values ('999-future', '')").close(),
  ],
])('a file that is %s is refused, and nothing changes', async (_name, why, corrupt) => {
  const { path } = await takeBackup(site.env, now)
  corrupt(path)
  await submit('1')
  kill()

  const { code, stderr } = await restore(path)

  expect([code, stderr]).toEqual([
    1,
    expect.stringContaining('cannot be restored, and nothing was changed: '),
  ])
  expect(stderr).toMatch(why)
  expect(readdirSync(killed.path).toSorted()).toEqual(['backups', 'leads.db', 'server.lock'])
  expect(messages('leads.db')).toEqual(['1'])
})

/**
 * Simulates killing a server that has leads 1 and 2. Returns a backup that contains only lead 1.
 */
async function killWithTwoLeads() {
  await submit('1')
  const { path } = await takeBackup(site.env, now)
  await submit('2')
  kill()
  return path
}

test('a restore is refused while another program has the database open, even without a server lock', async () => {
  const path = await killWithTwoLeads()
  const other = new Sqlite(fileIn('leads.db'))
  other.prepare('select 1 from leads').get()

  await expect(restoreHere(path)).rejects.toThrow(/leads\.db is in use by another program/)

  expect(readdirSync(killed.path).filter((name) => name.startsWith('leads-before'))).toEqual([])
  other.close()
})

test('until a restore replaces the database, no other program can use it', async () => {
  const path = await killWithTwoLeads()

  await restoreHere(path, () => expect(() => messages('leads.db')).toThrow('database is locked'))

  expect(messages('leads.db')).toEqual(['1'])
})

test.each(['leads.db', 'leads.db-wal', 'leads.db.restore.part'])(
  'restoring from %s is refused, and the file is kept',
  async (name) => {
    const path = await killWithTwoLeads()
    if (!existsSync(fileIn(name))) cpSync(path, fileIn(name))

    await expect(restoreHere(fileIn(name))).rejects.toThrow('It belongs to the current database')

    expect(existsSync(fileIn(name))).toBe(true)
  },
)

test.each([
  ['damaged', '-wal', () => truncateSync(fileIn('leads.db'), 5000)],
  ['deleted', '-wal', () => rmSync(fileIn('leads.db'))],
  ['deleted', '-journal', () => renameSync(fileIn('leads.db'), fileIn('leads.db-journal'))],
])(
  'the log of a database that was %s (%s) is kept, and not replayed into the restored one',
  async (_, log, damage) => {
    const path = await killWithTwoLeads()
    damage()

    await restoreHere(path)

    expect(existsSync(fileIn(`leads.db${log}`))).toBe(false)
    expect(existsSync(fileIn(`${asideName}${log}`))).toBe(true)
    expect(messages('leads.db')).toEqual(['1'])
  },
)

test('a restore never overwrites what an earlier one has kept', async () => {
  const path = await killWithTwoLeads()
  writeFileSync(fileIn(asideName), 'mine')

  await expect(restoreHere(path)).rejects.toThrow('EEXIST')

  expect([readFileSync(fileIn(asideName), 'utf8'), messages('leads.db')]).toEqual(['mine', ['1', '2']])
})
