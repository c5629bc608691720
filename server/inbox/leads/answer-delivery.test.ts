import { expect, test, vi } from 'vitest'
import { UNDO_SECONDS } from '#shared/inbox/lead.ts'
import { isOnPostgres, useTestApp } from '../../proof/testing/build-test-app.ts'
import { answerTools, leadTools } from '../../proof/testing/leads.ts'
import { outboxTools } from '../../proof/testing/outbox.ts'

const SECOND_MS = 1_000
const UNDO_MS = UNDO_SECONDS * SECOND_MS
const site = useTestApp({ mailTo: [] })

const { submit } = leadTools(site)
const { startWorker } = outboxTools(site)
const { answer } = answerTools(site)

test('no worker claims an answer while its owner can still undo it', async () => {
  await answer(await submit())
  site.advanceClock(UNDO_MS - 1)
  expect(await site.outbox.claim(site.clock.now)).toBeUndefined()

  site.advanceClock(1)
  expect(await site.outbox.claim(site.clock.now)).toMatchObject({ attempts: 1 })
})

test.skipIf(isOnPostgres)('an answer is sent within a second after the time to undo it', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] })
  const startedAt = Date.now()
  const sentAfter: number[] = []
  const worker = startWorker(async () => `250 ${sentAfter.push(Date.now() - startedAt)}`, {
    now: () => new Date(),
  })
  worker.start()
  site.clock.now = new Date()
  await answer(await submit())

  for (let ms = 0; ms < UNDO_MS + SECOND_MS; ms += 100) {
    await vi.waitFor(() => expect(vi.getTimerCount()).toBeGreaterThan(0))
    vi.advanceTimersByTime(100)
  }
  await expect.poll(() => sentAfter).toHaveLength(2)
  vi.useRealTimers()
  await worker.stop()

  expect(Math.min(...sentAfter)).toBeGreaterThanOrEqual(UNDO_MS)
  expect(Math.max(...sentAfter)).toBeLessThan(UNDO_MS + SECOND_MS)
})
