import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { pino } from 'pino'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { buildTestApp } from '../proof/testing/build-test-app.ts'
import { deliverToFiles } from '../proof/testing/file-delivery.ts'
import { isOnPostgres } from '../proof/testing/open-test-database.ts'
import { sampleRequest } from '../proof/testing/sample-request.ts'
import { createRetention, deleteExpired, expiringSoon, watchClock } from './retention.ts'

const HOUR_MS = 60 * 60 * 1000
const DAY_MS = 24 * HOUR_MS

let site: Awaited<ReturnType<typeof buildTestApp>>
beforeEach(async () => {
  site = await buildTestApp()
})
afterEach(() => site[Symbol.asyncDispose]())

const submit = (message: string) =>
  site.submitLead(sampleRequest({ message }), { client: 'c', idempotencyKey: null })
const messages = async () =>
  (await site.db.selectFrom('leads').select('message').orderBy('id').execute()).map(({ message }) => message)
const pass = (milliseconds: number) => {
  site.clock.now = new Date(site.clock.now.getTime() + milliseconds)
}
const run = (days = 30) =>
  deleteExpired({ db: site.db, mailDir: join(site.dataDir, 'mail'), days }, site.clock.now)
/** As the server does it, a run a day. */
async function runFor(dayCount: number, days = 30) {
  for (let day = 0; day < dayCount; day++) {
    pass(DAY_MS)
    await run(days)
  }
}

test('a lead goes on the day it is too old, with its mails, their ledger and their copies; no other does', async () => {
  await submit('old')
  await deliverToFiles(site)
  await runFor(20)
  await submit('young')
  await deliverToFiles(site)
  await runFor(10)
  expect(await messages()).toEqual(['old', 'young'])

  pass(DAY_MS)
  expect(await run()).toMatchObject({ deleted: 1, mails: 1, copies: 1, kept: 0 })

  expect(await messages()).toEqual(['young'])
  expect(await site.db.selectFrom('outbox_attempts').selectAll().execute()).toHaveLength(1)
  expect(readdirSync(join(site.dataDir, 'mail'))).toHaveLength(1)
})

test.skipIf(isOnPostgres)('what was deleted is in neither database nor log any more', async () => {
  await submit('a secret of long ago')
  await deliverToFiles(site)

  await runFor(40)

  for (const file of ['leads.db', 'leads.db-wal'])
    expect(readFileSync(join(site.dataDir, file), 'latin1'), file).not.toContain('secret of long')
})

test('a lead whose mail was not delivered stays, however old', async () => {
  for (const message of ['given up', 'waiting', 'sent']) await submit(message)
  for (const outcome of ['recordFailed', 'recordRetry', 'recordSent'] as const) {
    const job = await site.outbox.claimNext(site.clock.now)
    if (job) await site.outbox[outcome](job, site.clock.now, { smtpCode: 250, response: '' }, 1)
  }

  await runFor(40)

  // Within a millisecond ids have no order.
  expect((await messages()).toSorted()).toEqual(['given up', 'waiting'])
  expect(await run()).toMatchObject({ deleted: 0, kept: 2 })
})

test.skipIf(isOnPostgres)(
  'a lead whose notice is put back in the queue during the deletion stays',
  async () => {
    await submit('resent')
    await deliverToFiles(site)
    await runFor(30)
    pass(DAY_MS)
    // Asked between the choice of the leads and their deletion.
    const resend = () => {
      new Sqlite(join(site.dataDir, 'leads.db')).exec("update outbox set state = 'queued'").close()
      return false
    }

    await deleteExpired(
      { db: site.db, mailDir: join(site.dataDir, 'mail'), days: 30 },
      site.clock.now,
      resend,
    )

    expect(await messages()).toEqual(['resent'])
  },
)

test('in the first week, and in that after a change of the setting, nothing is deleted', async () => {
  await submit('old')
  await deliverToFiles(site)
  pass(365 * DAY_MS)

  await run()
  await runFor(6)
  await runFor(6, 3)
  await run(30)
  await runFor(6)
  expect(await messages()).toEqual(['old'])

  await runFor(1)
  expect(await messages()).toEqual([])
})

test('a clock that leaps a year ahead or a day back deletes nothing that is young', async () => {
  await runFor(20)
  await submit('young')
  await deliverToFiles(site)

  pass(365 * DAY_MS)
  await run()
  await runFor(6)
  pass(-371 * DAY_MS)
  await run()
  await runFor(6)
  pass(-DAY_MS)
  await run()
  await runFor(20)

  expect(await messages()).toEqual(['young'])
})

const watch = { days: 30, seenAt: 1_000 * DAY_MS, steadySince: 900 * DAY_MS }
test.each([
  ['a day later', DAY_MS, true],
  ['after three days off', 3 * DAY_MS, true],
  ['after more', 3 * DAY_MS + 1, false],
  ['set back by a little', -HOUR_MS, true],
  ['set back by more', -HOUR_MS - 1, false],
])('a clock seen %s is steady or not', (_name, gap, isSteady) => {
  const next = watchClock(watch, 30, new Date(watch.seenAt + gap))

  expect(next.steadySince).toBe(isSteady ? watch.steadySince : watch.seenAt + gap)
})

test('what will go within two days is known before, and only that', async () => {
  const { reference } = await submit('old')
  await deliverToFiles(site)
  const soon = (days = 30) => expiringSoon(site.db, site.clock.now, days)

  await runFor(28)
  expect(await soon()).toEqual({ leads: 0, references: [] })
  pass(1)
  expect(await soon()).toEqual({ leads: 1, references: [reference] })
  expect(await soon(3)).toEqual({ leads: 0, references: [] })
  expect(await soon(0)).toEqual({ leads: 0, references: [] })
})

test('it runs once a day, is silent in between, and is called again after a failure', async () => {
  const lines: string[] = []
  const log = pino({ base: null }, { write: (line: string) => lines.push(JSON.parse(line).msg) })
  const mailDir = join(site.dataDir, 'mail')
  const deleteIfDue = createRetention({ db: site.db, mailDir, days: 30, now: () => site.clock.now, log })
  const look = () => deleteIfDue(new AbortController().signal)

  await look()
  await look()
  expect(lines).toEqual([expect.stringContaining('no lead is deleted yet')])
  pass(DAY_MS)
  await site.db.schema.alterTable('leads').renameTo('elsewhere').execute()
  await expect(look()).rejects.toThrow()
  await site.db.schema.alterTable('elsewhere').renameTo('leads').execute()
  await look()
  expect(lines).toHaveLength(2)
})

test('a run that is cut off is taken up by whoever comes next', async () => {
  for (const message of ['1', '2']) await submit(message)
  await deliverToFiles(site)
  await runFor(30)
  const days = 30
  const deps = { db: site.db, mailDir: join(site.dataDir, 'mail'), days, now: () => site.clock.now }
  const deleteIfDue = createRetention({ ...deps, log: pino({ level: 'silent' }) })
  pass(DAY_MS)

  await deleteIfDue(AbortSignal.abort())
  const afterTheFirst = (await messages()).length
  await deleteIfDue(new AbortController().signal)

  expect([afterTheFirst, await messages()]).toEqual([2, []])
})
