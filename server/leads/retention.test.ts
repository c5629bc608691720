import { randomUUID } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { answerLead } from '../inbox/leads/answer-lead.ts'
import { useTestApp } from '../proof/testing/build-test-app.ts'
import { claimEmail } from '../proof/testing/claim-email.ts'
import { deliverToFiles } from '../proof/testing/file-delivery.ts'
import { anna } from '../proof/testing/lead-tools.ts'
import { isOnPostgres } from '../proof/testing/open-test-database.ts'
import { createNoticeLists } from './notice-list.ts'
import { countExpiringSoon, createRetention, watchClock } from './retention.ts'

const HOUR_MS = 60 * 60 * 1000
const DAY_MS = 24 * HOUR_MS

const site = useTestApp()

const submit = (message: string) => site.submit({ message })
const messages = async () =>
  (await site.db.selectFrom('leads').select('message').orderBy('id').execute()).map(({ message }) => message)
const logged: string[] = []
const log = pino({ base: null }, { write: (line: string) => logged.push(JSON.parse(line).msg) })
const run = (days = 30, signal = new AbortController().signal) =>
  createRetention({
    ...{ db: site.db, mailDir: join(site.dataDir, 'mail'), days, log },
    now: () => site.clock.now,
  })(signal)
/** Runs retention once a day, like the server. */
async function runFor(dayCount: number, days = 30) {
  for (let day = 0; day < dayCount; day++) {
    site.advanceClock(DAY_MS)
    await run(days)
  }
}

test('a lead that is too old is deleted with its emails, delivery log and .eml files', async () => {
  await submit('old')
  await deliverToFiles(site)
  await runFor(20)
  await submit('young')
  await deliverToFiles(site)
  await runFor(10)
  expect(await messages()).toEqual(['old', 'young'])

  site.advanceClock(DAY_MS)
  await run()

  expect(await messages()).toEqual(['young'])
  expect(await site.db.selectFrom('outbox_attempts').selectAll().execute()).toHaveLength(1)
  expect(readdirSync(join(site.dataDir, 'mail'))).toEqual([])
})

test.skipIf(isOnPostgres)('deleted text is removed from the database and its WAL', async () => {
  await submit('a secret message')
  await deliverToFiles(site)

  await runFor(40)

  for (const file of ['leads.db', 'leads.db-wal']) {
    const bytes = readFileSync(join(site.dataDir, file), 'latin1')
    expect(bytes.includes('secret'), file).toBe(false)
  }
})

test("a lead is never deleted if the owner's notice about it was not sent", async () => {
  for (const message of ['given up', 'waiting', 'sent']) await submit(message)
  for (const outcome of ['failed', 'retry', 'sent'] as const) {
    await site.outbox.record(
      await claimEmail(site),
      site.clock.now,
      outcome,
      { smtpCode: 250, response: '' },
      1,
    )
  }

  await runFor(40)

  expect((await messages()).toSorted()).toEqual(['given up', 'waiting'])
})

test('a lead that a list tells the owner about is kept until the list is sent', async () => {
  await submit('listed')
  await site.outbox.record(await claimEmail(site), site.clock.now, 'listed', { smtpCode: null, response: '' })
  await runFor(40)
  expect(await messages()).toEqual(['listed'])

  await createNoticeLists({
    ...{ db: site.db, mailFrom: site.context.env.MAIL_FROM, mailTo: [anna] },
    ...{ now: () => site.clock.now, onQueued: () => {} },
  })()
  await runFor(40)
  expect(await messages()).toEqual(['listed'])

  await site.outbox.record(await claimEmail(site), site.clock.now, 'sent', { smtpCode: 250, response: '' })
  await runFor(1)
  expect(await messages()).toEqual([])
})

test('a lead is kept while an answer to it is waiting, and deleted once the answer has been sent or has failed', async () => {
  const texts = ['answer sent', 'answer given up']
  for (const message of texts) await submit(message)
  await deliverToFiles(site)
  for (const { reference } of await site.db.selectFrom('leads').select('reference').execute())
    await answerLead(site.inboxDeps, {
      reference,
      who: anna,
      version: 0,
      key: randomUUID(),
      base: null,
      text: 'Yes.',
    })

  await runFor(40)
  expect((await messages()).toSorted()).toEqual(texts.toSorted())
  // The third failure is that of the email that tells the owner about the first.
  for (const outcome of ['sent', 'sent', 'failed', 'failed', 'failed'] as const)
    await site.outbox.record(await claimEmail(site), site.clock.now, outcome, { smtpCode: 250, response: '' })
  await runFor(1)

  expect(await messages()).toEqual([])
})

test('nothing is deleted in the first week, or in the week after RETENTION_DAYS changes', async () => {
  await submit('old')
  await deliverToFiles(site)
  site.advanceClock(365 * DAY_MS)

  await run()
  await runFor(6)
  await runFor(6, 3)
  await run(30)
  await runFor(6)
  expect(await messages()).toEqual(['old'])

  await runFor(1)
  expect(await messages()).toEqual([])
})

test('if the clock jumps a year ahead or a day back, young leads are not deleted', async () => {
  await runFor(20)
  await submit('young')
  await deliverToFiles(site)

  site.advanceClock(365 * DAY_MS)
  await run()
  await runFor(6)
  site.advanceClock(-371 * DAY_MS)
  await run()
  await runFor(6)
  site.advanceClock(-DAY_MS)
  await run()
  await runFor(20)

  expect(await messages()).toEqual(['young'])
})

const watch = { days: 30, seenAt: 1_000 * DAY_MS, steadySince: 900 * DAY_MS }
test.each([
  ['a day later', true, DAY_MS],
  ['three days later', true, 3 * DAY_MS],
  ['more than three days later', false, 3 * DAY_MS + 1],
  ['an hour earlier', true, -HOUR_MS],
  ['more than an hour earlier', false, -HOUR_MS - 1],
])('a clock whose next reading is %s counts as steady: %s', (_name, isSteady, gap) => {
  const next = watchClock(watch, 30, new Date(watch.seenAt + gap))

  expect(next.steadySince).toBe(isSteady ? watch.steadySince : watch.seenAt + gap)
})

test('only leads that will be deleted within two days are announced', async () => {
  await submit('old')
  await deliverToFiles(site)
  const soon = (days = 30) => countExpiringSoon(site.db, site.clock.now, days)

  await runFor(28)
  expect(await soon()).toBe(0)
  site.advanceClock(1)
  expect(await soon()).toBe(1)
  expect(await soon(3)).toBe(0)
  expect(await soon(0)).toBe(0)
})

test('the log says when nothing is deleted yet, and how much was deleted, but not each hour', async () => {
  await submit('old')
  await deliverToFiles(site)
  logged.length = 0

  await runFor(40)
  for (let hour = 0; hour < 3; hour++) await run()

  expect(logged).toEqual([expect.stringContaining('no leads are deleted for a week'), 'old leads deleted'])
})

test('the next run finishes an aborted run', async () => {
  for (const message of ['1', '2']) await submit(message)
  await deliverToFiles(site)
  await runFor(30)
  site.advanceClock(DAY_MS)

  await run(30, AbortSignal.abort())
  const afterTheFirst = (await messages()).length
  await run()

  expect([afterTheFirst, await messages()]).toEqual([2, []])
})
