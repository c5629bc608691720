import { pino } from 'pino'
import { afterEach, expect, test, vi } from 'vitest'
import { buildTestApp } from '../proof/testing/build-test-app.ts'
import { claimEmail } from '../proof/testing/claim-email.ts'
import { sampleRequest } from '../proof/testing/sample-request.ts'
import { createAttempt } from './attempt.ts'

afterEach(() => {
  vi.useRealTimers()
})

test('the lease on an email is renewed while the email is being sent', async () => {
  await using site = await buildTestApp()
  await site.submitLead(sampleRequest({ message: '1' }), { client: 'c', idempotencyKey: null })
  const job = await claimEmail(site)
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  const reply = Promise.withResolvers<string>()
  const attempt = createAttempt(
    {
      outbox: site.outbox,
      deliver: () => reply.promise,
      log: pino({ level: 'silent' }),
      now: () => site.clock.now,
      random: () => 0.5,
      onServerUnavailable() {},
      onServerAvailable() {},
    },
    new AbortController().signal,
  )
  const state = () => site.db.selectFrom('outbox').select(['state', 'due_at']).execute()
  const sending = attempt(job)

  site.advanceClock(100_000)
  vi.advanceTimersByTime(30_000)
  const renewed = new Date(site.clock.now.getTime() + 120_000).toISOString()
  await expect.poll(state).toEqual([{ state: 'sending', due_at: renewed }])
  site.advanceClock(100_000)
  expect(await site.outbox.claimNext(site.clock.now)).toBeUndefined()

  reply.resolve('250 ok')
  await (await sending)()
  expect(await state()).toMatchObject([{ state: 'sent' }])
})
