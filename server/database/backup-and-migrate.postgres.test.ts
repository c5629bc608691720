import { cpSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { lastBackupAt } from '../backup/backup-files.ts'
import { copyLeads, countRows } from '../backup/copy-leads.ts'
import { takeBackup } from '../backup/take-backup.ts'
import { searchLeads } from '../leads/lists/search-leads.ts'
import { enqueue } from '../outbox/email.ts'
import { useFolder, useTestApp } from '../proof/testing/build-test-app.ts'
import { answerTools, erase } from '../proof/testing/leads.ts'
import { mountMemory } from '../proof/testing/mount.ts'
import { missing } from '../proof/testing/needs.ts'
import { samplePasskey, sampleSession } from '../proof/testing/owner-browser.ts'
import { atDatabase, createDatabase, dropDatabase } from '../proof/testing/postgres.ts'
import { runInThisProcess } from '../proof/testing/run-program.ts'
import { earlierFile } from '../proof/upgrade/earlier.ts'
import { readNote, writeNote } from './notes.ts'
import { openStorage } from './open-storage.ts'
import { connect } from './postgres.ts'
import type { Database } from './schema.ts'
import { openDatabaseExclusively } from './sqlite.ts'

const site = useTestApp()
const folder = useFolder()
let empty: string
beforeEach(async () => {
  const name = `migrate_${process.pid}_${Math.random().toString(36).slice(2)}`
  empty = await createDatabase(atDatabase(String(site.env.DATABASE_URL), 'postgres'), name)
})
afterEach(() => dropDatabase(empty))

const submit = (message: string) => site.submit({ message })
/** The rows that a backup must contain, sorted so that two databases can be compared. */
async function contents(db: Database) {
  const found: Record<string, object[]> = {}
  for (const table of ['leads', 'outbox', 'lead_events', 'files', 'passkeys'] as const)
    found[table] = await db.selectFrom(table).selectAll().orderBy('id').execute()
  const attempts = db.selectFrom('outbox_attempts').select(['outbox_id', 'at', 'outcome', 'response'])
  found.attempts = await attempts.orderBy('rowid').execute()
  const parts = db.selectFrom('file_parts').selectAll().orderBy('file_id').orderBy('number')
  found.parts = (await parts.execute()).map(({ bytes, ...part }) => ({
    ...part,
    bytes: bytes.toString('hex'),
  }))
  found.drafts = await db.selectFrom('lead_drafts').selectAll().execute()
  const settings = db.selectFrom('settings').selectAll().orderBy('name')
  const ofThisDatabase = ['backup_taken', 'restored_backup', 'erasures']
  found.settings = await settings.where('name', 'not in', ofThisDatabase).execute()
  return found
}

async function storeSamples() {
  for (const message of ['1', '2', 'déjà vu 🚿\n"']) await submit(message)
  for (const outcome of ['failed', 'retry', 'sent'] as const) {
    const job = await site.outbox.claim(site.clock.now)
    if (job) await site.outbox.record(job, site.clock.now, outcome, { smtpCode: 250, response: outcome }, 1)
  }
  const content = JSON.stringify({ b: 1, a: 'x' })
  const morning = { kind: 'morning', recipient: 'o@example.com', messageId: '<d>', content } as const
  await enqueue(site.db, [morning], site.clock.now)
}

/** Stores an owner's notes, draft and passkey, and a session, which must never be copied. */
async function storeOwnersWork(db: Database) {
  const at = '2026-03-02T15:00:00.000Z'
  const owner = 'owner@plumbline.example'
  const { id } = await db.selectFrom('leads').select('id').executeTakeFirstOrThrow()
  const event = { lead_id: id, at, who: owner, what: 'note' as const }
  const won = { what: 'result' as const, from_value: null, to_value: 'won', before: '{"state":"open"}' }
  const events = [
    { ...event, text: 'a' },
    { ...event, text: 'b', key: 'k' },
    { ...event, ...won },
  ]
  await db.insertInto('lead_events').values(events).execute()
  await db.insertInto('lead_drafts').values({ lead_id: id, owner, text: 'Dear', updated_at: at }).execute()
  const file = { lead_id: id, owner, at, name: 'déjà.pdf', type: 'application/pdf' }
  // More parts than are copied at a time.
  await db
    .insertInto('files')
    .values([
      { ...file, id: 'a', size: 20 },
      { ...file, id: 'b' },
    ])
    .execute()
  const part = (number: number) => ({
    file_id: number < 20 ? 'a' : 'b',
    number,
    bytes: Buffer.from([number, 0, 255]),
  })
  await db
    .insertInto('file_parts')
    .values(Array.from({ length: 25 }, (_, number) => part(number)))
    .execute()
  await db.insertInto('passkeys').values(samplePasskey()).execute()
  await db.insertInto('sessions').values(sampleSession()).execute()
  const followUp = { follow_up_at: '2026-03-04T14:00:00.000Z', seen_at: at, read_up_to: 2 }
  const change = { state: 'answered', result: 'won', ...followUp, version: 3 } as const
  await db.updateTable('leads').set(change).execute()
}

test("a backup and a migrated database contain the owners' work but no sessions, and both can be searched", async () => {
  await storeSamples()
  await storeOwnersWork(site.db)
  const { path } = await takeBackup(site.env, site.clock.now)
  cpSync(path, join(folder.path, 'leads.db'))

  const { stdout } = await runInThisProcess('leads', ['copy', '--to', empty], { DATA_DIR: folder.path })

  const file = openDatabaseExclusively(path)
  const target = connect(empty, 'operator')
  const original = await contents(site.db)
  const search = (db: Database) => searchLeads(db, { search: 'deja' })
  for (const copy of [file, target]) {
    expect(await contents(copy)).toEqual(original)
    expect(await copy.selectFrom('sessions').select('id').execute()).toEqual([])
    expect(await search(copy)).toEqual(await search(site.db))
  }
  expect(stdout).toContain('Copied and verified: 3 leads, 4 emails, 3 delivery log lines, 3 history entries')
  // The ids of new rows do not collide with the copied ids.
  await enqueue(target, [{ kind: 'morning', recipient: 'o', messageId: '<e>' }], new Date())
  expect((await countRows(target)).outbox).toBe(5)
  // The planner has statistics of the tables that lists read.
  const unknown = sql`select relname from pg_class
    where relname in ('leads', 'lead_events', 'outbox') and reltuples < 1`
  expect((await unknown.execute(target)).rows).toEqual([])
  await Promise.all([target.destroy(), file.destroy()])
})

test('`leads copy` refuses the database of a running server, and a target that is not empty', async () => {
  const old = await openStorage({ DATA_DIR: folder.path }, () => {})
  await copyLeads(site.db, old.db)
  await storeSamples()
  const copy = (...file: string[]) =>
    runInThisProcess('leads', ['copy', ...file, '--to', empty], { DATA_DIR: folder.path })
  const path = join(folder.path, 'leads.db')
  const elsewhere = { DATA_DIR: join(folder.path, 'elsewhere') }
  const fromElsewhere = await runInThisProcess('leads', ['copy', path, '--to', empty], elsewhere)
  const running = [await copy(), await copy(path), fromElsewhere]
  await old.close()
  const db = new Sqlite(join(folder.path, 'leads.db'))
  db.exec(`insert into outbox (kind, recipient, priority, queued_at, due_at, message_id) values ('morning', 'o', 0, '', '', '<n>');
    insert into outbox_attempts values (1, '', 'retry', null, 'a' || char(0) || 'b')`)
  db.close()

  const moved = await copy()
  const again = await copy()

  const refused = { code: 1, stderr: `A server is using ${path}. Stop it first.\n` }
  expect(running).toMatchObject([refused, refused, refused])
  expect(moved.stdout).toMatch(
    /^Copied and verified: 0 leads, 1 email, 1 delivery log line, 0 history entries, 0 files, 0 parts of files, 0 passkeys\.\n/,
  )
  expect(again).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(
      /^Nothing was copied\. The target is not empty: it has 1 email, 1 delivery log line\.\n/,
    ),
  })
})

test('a backup omits emails that are queued while it is taken, and the database records when it was taken', async () => {
  await submit('before')

  const during = await site.db.startTransaction().execute()
  await sql`lock table outbox`.execute(during)
  const backup = takeBackup(site.env, site.clock.now)
  // The backup has begun, and wants to read the emails.
  await vi.waitFor(async () => {
    const { rows } = await sql`select 1 from pg_locks where not granted
      and database = (select oid from pg_database where datname = current_database())`.execute(during)
    expect(rows).toHaveLength(1)
  })
  await sql`insert into outbox (lead_id, kind, recipient, priority, queued_at, due_at, message_id)
    select id, 'owner_notice', '', 0, '', '', '<during>' from leads`.execute(during)
  await during.commit().execute()
  const { path } = await backup

  const file = openDatabaseExclusively(path)
  expect((await contents(file)).outbox).toHaveLength(1)
  expect((await contents(site.db)).outbox).toHaveLength(2)
  await file.destroy()
  const { now } = site.clock
  expect(await lastBackupAt(site.db, '/nowhere', now)).toEqual(now)
  // The clock that the backup was taken with ran ahead.
  expect(await lastBackupAt(site.db, '/nowhere', new Date(now.getTime() - 1))).toBeUndefined()
})

test('`leads copy` takes a backup by its name alone, as `restore` does', async () => {
  await submit('saved')
  const { path } = await takeBackup(site.env, site.clock.now)
  const copy = (file: string) => runInThisProcess('leads', ['copy', file, '--to', empty], site.env)

  expect(await copy('leads-2001-01-01T00-00-00Z.db')).toMatchObject({
    code: 3,
    stderr: expect.stringMatching(/^There is no file leads-2001-01-01T00-00-00Z\.db here, in /),
  })
  expect((await copy(basename(path))).stdout).toMatch(/^Copied and verified: 1 lead,/)
})

test.each<[string, (backup: Buffer) => Buffer, string]>([
  ['empty', () => Buffer.alloc(0), 'no such table: leads'],
  ['cut off', (backup) => backup.subarray(0, backup.length / 2), 'malformed'],
  ['no database', () => Buffer.alloc(9_000, 'x'), 'file is not a database'],
  ['damaged', (backup) => backup.fill(0xff, backup.length / 2, backup.length / 2 + 9_000), ''],
])('`leads copy` refuses a backup that is %s, and names it', async (_which, change, reason) => {
  for (let count = 0; count < 20; count++) await submit(`${count} ${'a new roof '.repeat(400)}`)
  const { path } = await takeBackup(site.env, site.clock.now)
  const damaged = join(folder.path, 'downloaded.db')
  writeFileSync(damaged, change(readFileSync(path)))

  const { code, stdout, stderr } = await runInThisProcess('leads', ['copy', damaged, '--to', empty], site.env)

  expect([code, stdout]).toEqual([1, ''])
  expect(stderr).toMatch(/downloaded\.db cannot be copied, and nothing was changed: ./)
  expect(stderr).toContain(reason)
  expect(stderr).not.toContain('leads.db is damaged')
})

test.skipIf(missing(['mount']).length > 0)(
  '`leads copy` takes a backup of an earlier version from a disk that is read-only',
  async () => {
    using disk = mountMemory('size=8m')
    const backup = join(disk.path, 'newest.db')
    cpSync(earlierFile, backup)
    disk.remount('ro')

    const { stdout, stderr } = await runInThisProcess('leads', ['copy', backup, '--to', empty], {
      DATA_DIR: folder.path,
    })

    expect(stderr).toBe('')
    expect(stdout).toMatch(/^Copied and verified: 21 leads,/)
    // Nothing is left of the copy.
    expect(readdirSync(folder.path)).toEqual(['server.lock'])
  },
)

test('with PostgreSQL, `restore` fails and suggests `leads copy`, which leaves out what a restore leaves out, and erased people', async () => {
  await site.db.insertInto('passkeys').values(samplePasskey()).execute()
  await writeNote(site.db, 'morning_days', ['2026-03-02'])
  await submit('Erase me.')
  const { reference } = await site.submit({ email: 'bo@example.com' })
  await answerTools(site).answer(reference, { text: 'Yes, we can.' })
  const { path } = await takeBackup(site.env, site.clock.now)
  await erase(site, 'ada@example.com')
  const downloads = join(folder.path, 'downloads')
  const downloaded = join(downloads, 'downloaded.db')
  cpSync(path, downloaded)
  // It may be on a disk that is read-only, so not even a journal is written.
  const changedAt = () => [downloads, downloaded].map((file) => statSync(file).mtimeMs)
  const before = changedAt()

  expect(await runInThisProcess('restore', [path], site.env)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('leads copy FILE --to'),
  })
  const { stdout } = await runInThisProcess('leads', ['copy', downloaded, '--to', empty], site.env)
  expect(stdout).toMatch(/^Copied and verified: 1 lead, 1 email, .*, 0 passkeys\.\nErased again: 1 lead/)
  expect(stdout).toMatch(/1 lead had an answer waiting.*it is a draft again\.$/m)
  expect(changedAt()).toEqual(before)
  const target = connect(empty, 'operator')
  expect(await readNote(target, 'erasures')).toHaveLength(1)
  expect(await readNote(target, 'morning_days')).toBeUndefined()
  // With this note, the next start tells every owner about the restore.
  expect(await readNote(target, 'restored_backup')).toEqual({ backupAt: null })
  // It might be sent a second time.
  expect(await target.selectFrom('lead_drafts').select('text').execute()).toEqual([{ text: 'Yes, we can.' }])
  expect(await target.selectFrom('outbox').select('kind').execute()).toEqual([{ kind: 'owner_notice' }])
  await target.destroy()
})
