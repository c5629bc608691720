import { pino } from 'pino'
import { expect } from 'vitest'
import type { Email } from '../../outbox/email.ts'
import { createOutboxWorker } from '../../outbox/outbox-worker.ts'
import type { TestApp } from './build-test-app.ts'

const MAX_RETRY_DELAY_MS = 180 * 60_000

export type Send = (email: Email, signal: AbortSignal) => Promise<string>

/** Returns functions that fill, inspect and process the outbox of a test's site. */
export function outboxTools(site: TestApp) {
  const rows = () => site.db.selectFrom('outbox').selectAll().orderBy('id').execute()

  const isDue = ({ state, due_at }: { state: string; due_at: string }) => {
    const wait = Date.parse(due_at) - site.clock.now.getTime()
    return state === 'sending' || (state === 'queued' && (wait <= 0 || wait > MAX_RETRY_DELAY_MS))
  }

  const startWorker = (send: Send, options = {}) =>
    createOutboxWorker({
      outbox: site.outbox,
      deliver: send,
      log: pino({ level: 'silent' }),
      now: () => site.clock.now,
      random: () => 0.5,
      ...options,
    })

  return {
    rows,
    isDue,
    startWorker,
    deliveryLog: () => site.db.selectFrom('outbox_attempts').selectAll().execute(),
    submit: (message: string) => site.submit({ message }),
    /** Runs a worker until nothing is due. */
    async deliver(send: Send) {
      const worker = startWorker(send)
      worker.start()
      await expect
        .poll(async () => (await rows()).filter(isDue), { timeout: 10_000, interval: 5 })
        .toEqual([])
      await worker.stop()
    },
  }
}
