import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { showCode } from '#shared/inbox/api.ts'
import { MAIL_PATIENCE_MS, readBacklog, readMailHealth } from '../../outbox/backlog.ts'
import { requeueFailed } from '../../outbox/requeue.ts'
import { buildTestApp, type TestApp } from '../../proof/testing/build-test-app.ts'
import { claimEmail } from '../../proof/testing/claim-email.ts'
import { deliverToFiles } from '../../proof/testing/file-delivery.ts'
import { outboxTools } from '../../proof/testing/outbox-tools.ts'
import { newestCode, openBrowser } from '../../proof/testing/owner-browser.ts'

const owner = 'owner@agency.example'
const site = {} as TestApp
let owners: string[]
beforeEach(async () => {
  owners = [owner]
  Object.assign(site, await buildTestApp({ mailTo: owners }))
  await openBrowser(site.app).post('/sign-in', { email: owner })
})
afterEach(() => site[Symbol.asyncDispose]())

const { rows, deliveryLog, startWorker, submit } = outboxTools(site)
const pass = (milliseconds: number) => site.advanceClock(milliseconds)
const refused = { smtpCode: 451, response: '451 try later' }

test('a code that was sent leaves neither an email nor a delivery log in the database', async () => {
  const code = await newestCode(site)

  await deliverToFiles(site)

  const folder = join(site.dataDir, 'mail')
  const [file = ''] = readdirSync(folder)
  expect(file).toMatch(/^sign-in-[\da-f-]{36}\.eml$/)
  expect(readFileSync(join(folder, file), 'utf8')).toContain(showCode(code))
  expect([await rows(), await deliveryLog()]).toEqual([[], []])
})

test('an expired code is deleted instead of sent', async () => {
  pass(10 * 60_000)

  await deliverToFiles(site)

  expect([readdirSync(join(site.dataDir, 'mail')), await rows()]).toEqual([[], []])
})

test('a code stays queued after a temporary failure, and is deleted after a permanent one', async () => {
  const job = await claimEmail(site)
  await site.outbox.record(job, site.clock.now, 'retry', refused, 60_000)
  expect(await rows()).toMatchObject([{ state: 'queued', kind: 'sign_in' }])
  pass(60_000)
  const again = await claimEmail(site)

  await site.outbox.record(again, site.clock.now, 'failed', refused)

  expect(await rows()).toEqual([])
})

test('a worker whose lease on an email has expired does not delete the email while another worker is sending it', async () => {
  const late = await claimEmail(site)
  pass(8 * 60_000)
  await claimEmail(site)

  await site.outbox.record(late, site.clock.now, 'failed', refused)

  expect(await rows()).toMatchObject([{ state: 'sending', attempts: 2 }])
})

test('after MAIL_TO changes, a queued code still goes to the owner who asked for it', async () => {
  owners.splice(0, 1, 'bob@agency.example')

  expect(await claimEmail(site)).toMatchObject({ recipient: owner })
})

test('a code that is waiting to be sent does not count as a problem with leads', async () => {
  const job = await claimEmail(site)
  await site.outbox.record(job, site.clock.now, 'retry', { smtpCode: 550, response: '550 no' }, 60_000)
  pass(2 * MAIL_PATIENCE_MS)
  const waitingSince = new Date(site.clock.now.getTime() - MAIL_PATIENCE_MS)

  expect(await readMailHealth(site.db, waitingSince)).toBe('ok')
  expect(await readBacklog(site.db, waitingSince)).toMatchObject({ waiting: 0, givenUp: 0 })
  expect(await requeueFailed(site.db, undefined, site.clock.now)).toBe(0)
})

test('a code is sent before notices that came earlier or later', async () => {
  await site.db.deleteFrom('outbox').execute()
  await submit('earlier')
  pass(1000)
  await openBrowser(site.app).post('/sign-in', { email: owner })
  pass(1000)
  await submit('later')

  expect(await claimEmail(site)).toMatchObject({ kind: 'sign_in' })
})

test('a code is sent even while all notices wait for the mail server', async () => {
  await site.db.deleteFrom('outbox').execute()
  for (let count = 0; count < 8; count++) await submit(`${count}`)
  const sent: string[] = []
  const worker = startWorker(async ({ kind }, signal) => {
    sent.push(kind)
    if (kind === 'sign_in') return '250 ok'
    return new Promise((_done, fail) => signal.addEventListener('abort', () => fail(signal.reason)))
  })
  worker.start()
  await expect.poll(() => sent).toHaveLength(2)

  await openBrowser(site.app).post('/sign-in', { email: owner })
  worker.wake()

  await expect.poll(() => sent).toContain('sign_in')
  await worker.stop()
})
