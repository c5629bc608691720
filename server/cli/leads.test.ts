import { execFile } from 'node:child_process'
import { readFileSync, statSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import Sqlite from 'better-sqlite3'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { takeBackup } from '../backup/take-backup.ts'
import { createWriteTogether } from '../database/write-together.ts'
import { createOutboxStore } from '../outbox/outbox-store.ts'
import { bounceReceipt } from '../proof/testing/bounce-receipt.ts'
import { buildTestApp } from '../proof/testing/build-test-app.ts'
import { deliverToFiles } from '../proof/testing/file-delivery.ts'
import { isOnPostgres } from '../proof/testing/open-test-database.ts'
import { sampleRequest } from '../proof/testing/sample-request.ts'
import { newDataDir } from '../proof/testing/start-program.ts'

// Each command runs in its own process.
vi.setConfig({ testTimeout: 30_000 })

let site: Awaited<ReturnType<typeof buildTestApp>>
beforeEach(async () => {
  site = await buildTestApp()
})
afterEach(() => site[Symbol.asyncDispose]())

const submit = (changes = {}) =>
  site.submitLead(sampleRequest(changes), { client: 'c', idempotencyKey: null })
async function claimNext() {
  const job = await site.outbox.claimNext(site.clock.now)
  if (!job) throw new Error('No email is due.')
  return job
}
const run = (args: string[], env: Record<string, string> = site.env) =>
  promisify(execFile)(process.execPath, ['server/cli/leads.ts', ...args], { env }).catch(
    (error: { code: number; stdout: string; stderr: string }) => error,
  )

// Arguments and output formats don't depend on the database.
const testOnce = test.skipIf(isOnPostgres)

test('list shows the newest lead first while the database is open', async () => {
  await submit({ firstName: 'Ada', message: '1' })
  await submit({ firstName: 'Grace', message: '2' })

  const { stdout } = await run(['list'])

  expect(stdout).toMatch(/^RECEIVED .*\n.*waiting +Grace Lovelace.*\n.*waiting +Ada Lovelace/)
})

test('show prints the whole lead and every email attempt', async () => {
  const { reference } = await submit({ message: 'Line 1\nLine 2' })
  const reply = { smtpCode: 550, response: '550 no such user' }
  await site.outbox.recordFailed(await claimNext(), site.clock.now, reply)

  const { stdout } = await run(['show', reference.toLowerCase()])

  expect(stdout).toContain('  Line 1\n  Line 2\n')
  expect(stdout).toContain(`Delivery log
  2026-03-02 10:00:00  received and saved
  2026-03-02 10:00:00  email to owner@plumbline.example: given up
                       550 no such user
  now                  email to owner@plumbline.example: given up; `)
})

test('a receipt that bounced is marked in the list, and show says to call instead', async () => {
  await using shop = await buildTestApp({ sendsReceipts: true })
  const reference = await bounceReceipt(shop)

  const list = (await run(['list'], shop.env)).stdout
  const bounced = (await run(['list', '--state', 'bounced'], shop.env)).stdout
  const show = (await run(['show', reference], shop.env)).stdout

  expect(list).toMatch(
    / delivered, bounced {2}Ada [\s\S]*\nbounced: .*The address is probably wrong: call instead\.\n$/,
  )
  expect(bounced).toBe(list)
  expect(show).toMatch(/Email {6}ada@example.com\n {11}The receipt bounced: this address .* Call instead\.\n/)
})

testOnce('show warns about an address that is probably mistyped', async () => {
  const { reference: bare } = await submit({ email: 'linus@example', phone: '' })
  const { reference: slip } = await submit({ email: 'ada@gmial.com' })

  expect((await run(['show', bare])).stdout).toContain(
    'linus@example\n           This address has no dot after the @ and is probably wrong. There is no phone number.\n',
  )
  expect((await run(['show', slip])).stdout).toContain('Probably a typo for ada@gmail.com.\n')
})

test('after a change of MAIL_TO, attempts keep the address they were made to', async () => {
  const { reference } = await submit()
  await site.outbox.recordRetry(await claimNext(), site.clock.now, { smtpCode: 421, response: '421 busy' }, 1)
  site.clock.now = new Date(site.clock.now.getTime() + 1)
  await createOutboxStore(site.db, createWriteTogether(site.db), ['new@plumbline.example']).claimNext(
    site.clock.now,
  )

  const { stdout } = await run(['show', reference])

  expect(stdout).toContain(`
  2026-03-02 10:00:00  email to owner@plumbline.example: not sent, will try again
                       421 busy
  2026-03-02 10:00:00  email to owner@plumbline.example: new address, because MAIL_TO was changed
  now                  email to new@plumbline.example: being sent`)
})

test('a notice that is only an .eml file does not count as delivered', async () => {
  const { reference } = await submit()
  await deliverToFiles(site)

  const list = (await run(['list'])).stdout
  const show = (await run(['show', reference])).stdout

  expect(list).toMatch(/ file {3}Ada [\s\S]*\nfile: you got no email, only an \.eml file/)
  expect(show).toContain('email to owner@plumbline.example: only written to a file')
  expect(show).toContain(
    'email to owner@plumbline.example: only written to an .eml file, because SMTP_URL was not set',
  )
  expect(list + show).not.toMatch(/delivered|accepted/)
})

test('list marks a suspect, and show gives the reasons', async () => {
  const clues = { isHoneypotFilled: true, formAgeMs: 100 }
  const { reference } = await site.submitLead(sampleRequest(), { client: 'c', idempotencyKey: null, clues })
  await submit({ message: 'honest' })

  const list = (await run(['list'])).stdout
  const show = (await run(['show', reference])).stdout

  expect(list).toMatch(/waiting {2}Ada .*honest\n.*waiting {2}\[Suspect\] Ada /)
  expect(show).toContain('Spam       suspect, score 10\n           A field that people cannot see was filled')
})

test('--json is lossless', async () => {
  await submit({ message: 'a\tb\n"c"' })

  const { stdout } = await run(['list', '--json'])

  expect(JSON.parse(stdout)).toMatchObject([{ message: 'a\tb\n"c"', delivery: 'waiting' }])
})

testOnce('stored text cannot steer the terminal', async () => {
  const { reference } = await submit()
  await site.db.updateTable('leads').set({ company: '\u001b[2Jgone' }).execute()

  expect((await run(['show', reference])).stdout).toContain('Company     [2Jgone')
})

testOnce.each([
  ['an unknown reference', 3, ['show', 'Q-0000-0000'], /There is no lead Q-0000-0000/],
  ['an invalid number', 2, ['list', '-n', 'many'], /Expected a whole number/],
  ['an unknown address', 3, ['show', 'nobody@example.com'], /There is no lead from nobody@example.com/],
  ['an invalid day', 2, ['list', '--since', '2026-02-30'], /Expected a day such as/],
])('%s prints an error and exits with %i', async (_name, exitCode, args, message) => {
  const { code, stderr } = (await run(args)) as { code: number; stderr: string }

  expect([code, stderr]).toEqual([exitCode, expect.stringMatching(message)])
})

testOnce('an export is a new private file that is safe in a spreadsheet', async () => {
  await submit({ firstName: '=1+1', lastName: 'Müller' })
  const file = join(site.dataDir, 'leads.csv')

  const first = await run(['export', '--output', file])
  const second = (await run(['export', '--output', file])) as { code: number; stderr: string }

  const [head, row] = readFileSync(file, 'utf8').split('\r\n')
  expect(head).toMatch(/^\ufeff"Received \(America\/New_York\)","Reference","First name"/)
  expect(row).toMatch(/^"2026-03-02 10:00:00","Q-.{9}","'=1\+1","Müller","ada@example.com","'?\(312\)/)
  expect(statSync(file).mode & 0o777).toBe(0o600)
  expect(first.stderr).toBe(`1 lead exported to ${file}.\n`)
  expect([second.code, second.stderr]).toEqual([1, expect.stringContaining('already exists')])
})

testOnce.each(['<ada@example.com>', 'mailto:ada@example.com', '"Lovelace, Ada" <ada@example.com>'])(
  '%s is accepted as an address, because mail programs copy it like that',
  async (copied) => {
    const { reference } = await submit()

    expect((await run(['show', copied])).stdout).toContain(reference)
    const { stdout } = await run(['erase', copied, '--yes', '--json'])

    expect(JSON.parse(stdout)).toMatchObject({ email: 'ada@example.com', references: [reference] })
  },
)

test('show accepts a reference in any form, and an address', async () => {
  const older = await submit({ message: 'older' })
  // Ids from the same millisecond are unordered.
  await sleep(2)
  const { reference } = await submit({ message: 'newer', email: 'ADA@example.com' })

  const byReference = (await run(['show', older.reference.toLowerCase().replaceAll('-', '')])).stdout
  const byAddress = (await run(['show', 'ada@EXAMPLE.com'])).stdout

  expect(byReference).toContain(older.reference)
  expect(byAddress).toContain(`Reference  ${reference}`)
  expect(byAddress).toContain(`Earlier from the same address: ${older.reference}\n`)
})

test('list filters by words, by suspicion and by day', async () => {
  site.clock.now = new Date()
  const suspect = { client: 'c', idempotencyKey: null, clues: { isHoneypotFilled: true, formAgeMs: 100 } }
  await submit({ message: 'a new roof' })
  await site.submitLead(sampleRequest({ message: 'a new roof, cheap' }), suspect)
  const found = async (...args: string[]) => {
    const { stdout } = await run(['list', '--json', ...args])
    return (JSON.parse(stdout) as { message: string }[]).map(({ message }) => message)
  }

  expect(await found('new', 'roof', '--since', 'yesterday')).toHaveLength(2)
  expect(await found('--search', 'new', 'roof', '--suspects')).toEqual(['a new roof, cheap'])
  expect(await found('--no-suspects')).toEqual(['a new roof'])
  expect((await run(['list', 'old', 'roof'])).stdout).toBe('No matching leads for "old roof".\n')
})

testOnce('a hint names the option that npm took, if the command has it', async () => {
  const env = { ...site.env, npm_lifecycle_event: 'leads', npm_config_since: 'true' }

  expect(await run(['list', '7d'], env)).toMatchObject({
    code: 2,
    stderr: 'npm took --since for itself. Add -- like this: npm run leads -- list --since ...\n',
  })
  expect((await run(['stats'], env)).stdout).toContain('WEEK OF')
})

testOnce('export --raw has the stored values', async () => {
  await submit({ firstName: '=1+1', phone: '+49 30 1234' })

  const { stdout } = await run(['export', '--raw'])

  const [head, row] = stdout.split('\r\n')
  expect(head).toMatch(/^"Received","Reference","First name"/)
  expect(row).toMatch(/^"2026-03-02T15:00:00.000Z","Q-.{9}","=1\+1",.*,"\+49 30 1234",/)
})

test('export --json has everything as it is stored', async () => {
  await submit({ message: '1' })
  await submit({ message: '=a\tb\n"c" \u0085\u202e' })
  await site.outbox.recordRetry(await claimNext(), site.clock.now, { smtpCode: 421, response: 'later' }, 1)

  const leads = JSON.parse((await run(['export', '--json'])).stdout)

  const stored = await site.db.selectFrom('leads').selectAll().orderBy('id', 'desc').execute()
  const parsed = stored.map((row) => ({ ...row, spam_reasons: JSON.parse(row.spam_reasons) }))
  expect(leads).toMatchObject(parsed)
  expect(leads[1].mails[0].flight).toEqual([
    {
      at: site.clock.now.toISOString(),
      outcome: 'retry',
      smtp_code: 421,
      response: 'later',
      recipient: 'owner@plumbline.example',
    },
  ])
  expect((await run(['export', '--json', '--search', 'nowhere'])).stdout).toBe('[]\n')
})

test('a database of another version is not touched, and the error says what to do', async () => {
  await submit()
  const what = isOnPostgres ? 'The database' : 'leads.db'
  const known = site.db.withTables<{ kysely_migration: { name: string; timestamp: string } }>()

  const { name } = await known
    .selectFrom('kysely_migration')
    .select('name')
    .orderBy('name', 'desc')
    .executeTakeFirstOrThrow()
  await known
    .updateTable('kysely_migration')
    .set({ name: '999-from-the-future' })
    .where('name', '=', name)
    .execute()
  expect((await run(['list'])).stderr).toMatch(`${what} was written by a newer version`)
  await known.deleteFrom('kysely_migration').where('name', 'like', '999%').execute()
  expect((await run(['list'])).stderr).toMatch(`${what} has an older schema. Start the server`)
})

testOnce.each([[['stats', '--weeks', '200000']], [['list', '--limit', '0']], [['erase', 'nobody']]])(
  '%j is reported as wrong usage',
  async (args) => {
    await submit()
    expect(await run(args)).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/^error: .* Expected .*\.\n$/),
    })
  },
)

test('resend sends only the given lead; --failed sends only emails to the owner', async () => {
  const states = async () => {
    const mails = await site.db.selectFrom('outbox').select('state').orderBy('id').execute()
    return mails.map(({ state }) => state)
  }
  await submit({ message: '1' })
  await site.db.updateTable('outbox').set({ state: 'failed' }).execute()
  const { reference } = await submit({ message: '2' })
  await site.db.updateTable('outbox').set({ state: 'sent' }).where('id', '=', 2).execute()

  await run(['resend', reference])
  expect(await states()).toEqual(['failed', 'queued'])

  await site.db.updateTable('outbox').set({ state: 'failed' }).execute()
  await site.db
    .updateTable('outbox')
    .set({ kind: 'visitor_receipt', priority: 2 })
    .where('id', '=', 2)
    .execute()
  expect((await run(['resend', '--failed'])).stdout).toMatch(/^1 email is back/)
  expect(await states()).toEqual(['queued', 'failed'])
})

test('an email that was given up goes back into the queue with a fresh schedule', async () => {
  const { reference } = await submit()
  await site.outbox.recordFailed(await claimNext(), site.clock.now, { smtpCode: 550, response: 'no' })

  const { stdout } = await run(['resend', reference, '--failed'])
  const again = (await run(['resend', '--failed'])) as { code: number; stderr: string }

  expect(stdout).toMatch(/^1 email is back in the queue.* within 5 seconds/)
  expect([again.code, again.stderr]).toEqual([3, 'No email was given up.\n'])
  expect(await site.db.selectFrom('outbox').select(['state', 'attempts']).execute()).toEqual([
    { state: 'queued', attempts: 0 },
  ])
  expect((await run(['show', reference])).stdout).toContain(': put back in the queue')
})

test('erase needs a confirmation, then removes a person from database, mail folder and backups', async () => {
  await submit({ email: 'eve@example.com' })
  await submit({ message: 'of Ada' })
  await deliverToFiles(site)
  const { path: backup } = await takeBackup(site.env, new Date())
  utimesSync(backup, 1e9, 1e9)

  const unconfirmed = (await run(['erase', 'eve@example.com'])) as { code: number; stderr: string }
  expect([unconfirmed.code, unconfirmed.stderr]).toEqual([2, expect.stringContaining('Add --yes')])
  const { stdout } = await run(['erase', 'EVE@example.com', '--yes', '--json'])

  expect(JSON.parse(stdout)).toMatchObject({
    mails: 1,
    emlFiles: 1,
    erasedFrom: [`backups/${basename(backup)}`],
    stillIn: [],
  })
  expect(statSync(backup).mtimeMs).toBe(1e12)
  const copy = new Sqlite(backup, { readonly: true })
  expect(copy.pragma('integrity_check', { simple: true })).toBe('ok')
  expect(copy.prepare('select message from leads').pluck().all()).toEqual(['of Ada'])
  copy.close()
})

test('erase names files that it could not read, and fails', async () => {
  await submit({ email: 'eve@example.com' })
  symlinkSync('loop', join(site.dataDir, 'loop'))

  const erased = (await run(['erase', 'eve@example.com', '--yes'])) as { code: number; stdout: string }
  const again = (await run(['erase', 'eve@example.com', '--yes'])) as { code: number; stderr: string }

  expect([erased.code, again.code]).toEqual([1, 1])
  expect(erased.stdout).toContain('Could not be read and may contain the address: loop.')
  expect(again.stderr).toContain('but could not read: loop.')
})

test('erase includes backups in a BACKUP_DIR outside the data directory', async () => {
  using other = newDataDir()
  await submit({ email: 'eve@example.com' })
  await deliverToFiles(site)
  const env = { ...site.env, BACKUP_DIR: other.path }
  const { path: backup } = await takeBackup(env, new Date())
  const foreign = join(other.path, 'notes.txt')
  writeFileSync(foreign, 'eve@example.com')

  const { stdout } = await run(['erase', 'eve@example.com', '--yes', '--json'], env)

  expect(JSON.parse(stdout)).toMatchObject({ erasedFrom: [backup], stillIn: [] })
  expect(readFileSync(backup, 'latin1')).not.toContain('eve@example.com')
  expect(readFileSync(foreign, 'utf8')).toBe('eve@example.com')
})

test('erase reports an address that other leads or unknown files mention', async () => {
  await submit({ email: 'eve@example.com' })
  const { reference } = await submit({ email: 'bob@example.com', message: 'Write to eve@example.com.' })
  writeFileSync(join(site.dataDir, 'notes.txt'), 'call eve@example.com')

  const { code, stdout } = (await run(['erase', 'eve@example.com', '-y'])) as { code: number; stdout: string }

  expect(code).toBe(1)
  expect(stdout).toContain(`The text of ${reference} mentions the address.`)
  expect(stdout).toContain(`eve@example.com is still in: ${isOnPostgres ? '' : 'leads.db, '}notes.txt`)
})

test('stats count leads per week and plan', async () => {
  const now = new Date()
  site.clock.now = now
  await submit({ message: '1' })
  await submit({ message: '2', budget: '' })

  const { stdout } = await run(['stats', '--weeks', '2'])
  const json = JSON.parse((await run(['stats', '--json'])).stdout)

  expect(stdout).toMatch(
    /\n\d{4}-\d\d-\d\d {6}0\n\d{4}-\d\d-\d\d {6}2 {2}▓·\n\nIn 2 weeks: 0 starter, 1 prof/,
  )
  expect(json).toHaveLength(12)
  expect(json[11]).toMatchObject({ leads: 2, plans: { professional: 1, none: 1 } })
})

test.skipIf(isOnPostgres)('a command does not create a database', async () => {
  const { stderr } = await run(['list'], { DATA_DIR: `${site.dataDir}/elsewhere` })

  expect(stderr).toContain('No leads yet')
})
