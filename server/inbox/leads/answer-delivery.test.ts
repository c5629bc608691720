import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import PostalMime from 'postal-mime'
import { expect, test, vi } from 'vitest'
import { brand } from '#facts/brand.ts'
import { UNDO_SECONDS } from '#shared/inbox/lead.ts'
import { createGroupCommit } from '../../database/group-commit.ts'
import { readMailHealth } from '../../outbox/backlog.ts'
import { createOutboxStore } from '../../outbox/outbox-store.ts'
import { answerKey, answerTools } from '../../proof/testing/answer-tools.ts'
import { useTestApp } from '../../proof/testing/build-test-app.ts'
import { deliverToFiles } from '../../proof/testing/file-delivery.ts'
import { leadTools } from '../../proof/testing/lead-tools.ts'
import { isOnPostgres } from '../../proof/testing/open-test-database.ts'
import { outboxTools } from '../../proof/testing/outbox-tools.ts'

const SECOND_MS = 1_000
const MINUTE_MS = 60 * SECOND_MS
const UNDO_MS = UNDO_SECONDS * SECOND_MS
const site = useTestApp({ mailTo: [] })

const { submit } = leadTools(site)
const { rows, startWorker } = outboxTools(site)
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

test('after MAIL_TO changes, an answer still goes to the visitor, but the copy goes to the new address', async () => {
  await answer(await submit())
  site.advanceClock(UNDO_MS)
  const outbox = createOutboxStore({
    db: site.db,
    write: createGroupCommit(site.db),
    mailTo: ['new@agency.example'],
  })

  await outbox.claim(site.clock.now)
  await outbox.claim(site.clock.now)

  expect(await rows()).toMatchObject([
    { kind: 'answer', recipient: 'ada@example.com' },
    { kind: 'answer_copy', recipient: 'new@agency.example' },
  ])
})

test('without a mail server, an answer becomes an .eml file', async () => {
  await answer(await submit())
  site.advanceClock(UNDO_MS)
  await deliverToFiles(site)

  const file = readFileSync(join(site.dataDir, 'mail', `${answerKey}.answer.eml`))
  expect(await PostalMime.parse(file)).toMatchObject({
    from: { name: `Anna at ${brand.name}` },
    to: [{ address: 'ada@example.com' }],
    text: expect.stringMatching(/^Yes, we can\.\n/),
  })
})

test('the health check reports an answer that is late', async () => {
  await answer(await submit())
  const health = () => readMailHealth(site.db, new Date(site.clock.now.getTime() - 15 * MINUTE_MS))
  site.advanceClock(15 * MINUTE_MS)
  expect(await health()).toBe('ok')
  site.advanceClock(16 * SECOND_MS)

  expect(await health()).toBe('waiting')
})
