import { randomUUID } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { useTestApp } from '../proof/testing/build-test-app.ts'
import { anna, answerTools } from '../proof/testing/leads.ts'
import { claimEmail, deliverToFiles } from '../proof/testing/outbox.ts'
import { createNoticeLists } from './notice-list.ts'
import { countExpiringSoon, createRetention } from './retention.ts'

const DAY_MS = 24 * 60 * 60 * 1000

const site = useTestApp()

const { answer } = answerTools(site)

const submit = (message: string) => site.submit({ message })

const messages = async () =>
  (await site.db.selectFrom('leads').select('message').orderBy('id').execute()).map(({ message }) => message)

const log = pino({ enabled: false })

/** Records the outcome of the next email. */
const recordNext = async (outcome: 'sent' | 'retry' | 'failed' | 'listed') =>
  site.outbox.record(await claimEmail(site), site.clock.now, outcome, { smtpCode: 250, response: '' }, 1)

const run = (days = 30) =>
  createRetention({
    ...{ db: site.db, mailDir: join(site.dataDir, 'mail'), days, log },
    now: () => site.clock.now,
  })(new AbortController().signal)

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

test("a lead is never deleted if the owner's notice about it was not sent", async () => {
  for (const message of ['given up', 'waiting', 'sent']) await submit(message)
  for (const outcome of ['failed', 'retry', 'sent'] as const) await recordNext(outcome)

  await runFor(40)

  expect((await messages()).toSorted()).toEqual(['given up', 'waiting'])
})

test('a lead that a list tells the owner about is kept until the list is sent', async () => {
  await submit('listed')
  await recordNext('listed')
  await runFor(40)
  expect(await messages()).toEqual(['listed'])

  await createNoticeLists({
    ...{ db: site.db, mailFrom: site.context.env.MAIL_FROM, mailTo: [anna] },
    ...{ now: () => site.clock.now, onQueued: () => {} },
  })()
  await runFor(40)
  expect(await messages()).toEqual(['listed'])

  await recordNext('sent')
  await runFor(1)
  expect(await messages()).toEqual([])
})

test('a lead is kept while an answer to it is waiting, and deleted once the answer has been sent or has failed', async () => {
  const texts = ['answer sent', 'answer given up']
  for (const message of texts) await submit(message)
  await deliverToFiles(site)
  for (const { reference } of await site.db.selectFrom('leads').select('reference').execute())
    await answer(reference, { key: randomUUID() })

  await runFor(40)
  expect((await messages()).toSorted()).toEqual(texts.toSorted())
  // The third failure is that of the email that tells the owner about the first.
  for (const outcome of ['sent', 'sent', 'failed', 'failed', 'failed'] as const) await recordNext(outcome)
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
