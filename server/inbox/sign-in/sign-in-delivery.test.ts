import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { showCode } from '#shared/inbox/api.ts'
import { readMailHealth } from '../../app/health.ts'
import { MAIL_PATIENCE_MS, readBacklog } from '../../outbox/backlog.ts'
import { requeueFailed } from '../../outbox/resend.ts'
import { useTestApp } from '../../proof/testing/build-test-app.ts'
import { claimEmail, deliverToFiles, outboxTools } from '../../proof/testing/outbox.ts'
import { newestCode, openBrowser, signIn } from '../../proof/testing/owner-browser.ts'

const owner = 'owner@agency.example'
const site = useTestApp({ mailTo: [owner] })
beforeEach(async () => {
  await openBrowser(site.app).post('/sign-in', { email: owner })
})

const { rows, deliveryLog } = outboxTools(site)
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

test('an expired code is deleted instead of sent, but news of a new browser is sent even weeks later', async () => {
  await signIn(site)
  pass(20 * 24 * 60 * 60_000)

  await deliverToFiles(site)

  const folder = join(site.dataDir, 'mail')
  const files = readdirSync(folder).map((file) => readFileSync(join(folder, file), 'utf8'))
  expect(files).toEqual([expect.stringContaining('Subject: New sign-in')])
  expect(await rows()).toEqual([])
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

test('a code that is waiting to be sent does not count as a problem with leads', async () => {
  const job = await claimEmail(site)
  await site.outbox.record(job, site.clock.now, 'retry', { smtpCode: 550, response: '550 no' }, 60_000)
  pass(2 * MAIL_PATIENCE_MS)

  expect(await readMailHealth(site.context, site.clock.now)).toBe('ok')
  expect(await readBacklog(site.context, site.clock.now)).toMatchObject({ waiting: 0, givenUp: 0 })
  expect(await requeueFailed(site.db, undefined, site.clock.now)).toBe(0)
})
