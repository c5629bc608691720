import { join } from 'node:path'
import { pino } from 'pino'
import { expect, vi } from 'vitest'
import { createFileMailer } from '../../mail/mailer.ts'
import type { Email } from '../../outbox/email.ts'
import { createOutboxWorker } from '../../outbox/outbox-worker.ts'
import { createWriteEmail } from '../../write-email.ts'
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

/** Claims the next due email. Throws if there is none. */
export async function claimEmail({ outbox, clock }: Pick<TestApp, 'outbox' | 'clock'>, lowest?: number) {
  const email = await outbox.claim(clock.now, lowest)
  if (!email) throw new Error('No email is due.')
  return email
}

/** Delivers all waiting emails with the real worker, which writes them to `mail/` in the data directory. */
export async function deliverToFiles(site: TestApp) {
  const mailer = createFileMailer(join(site.dataDir, 'mail'), async () => false)
  const write = writeEmailOf(site)
  const { startWorker, rows } = outboxTools(site)
  const deliver: Send = async (email, signal) => mailer.send(await write(email), signal)
  const worker = startWorker(deliver, { isToFiles: true })
  worker.start()
  const isOpen = async () => (await rows()).some(({ state }) => state === 'queued' || state === 'sending')
  while (await isOpen()) await new Promise((done) => setTimeout(done, 5))
  await worker.stop()
}

/** The function that writes what the emails of a test's site say. */
export const writeEmailOf = ({ db, inboxDeps, clock }: TestApp, changes = {}) =>
  createWriteEmail({
    db,
    mailFrom: { address: 'site@agency.example' },
    siteUrl: 'https://agency.example',
    hasInbox: true,
    sendsReminders: true,
    budget: inboxDeps.budget,
    now: () => clock.now,
    ...changes,
  })

/** Makes `performance.now()` run faster by this factor, and shortens timers of a second or more accordingly. */
export function speedUpTimers(factor: number) {
  const { setTimeout } = globalThis
  const startedAt = performance.now()
  const now = performance.now.bind(performance)
  vi.spyOn(performance, 'now').mockImplementation(() => startedAt + (now() - startedAt) * factor)
  vi.spyOn(globalThis, 'setTimeout').mockImplementation(((work: () => void, ms: number, ...rest: unknown[]) =>
    // The extra 2 ms are needed because timers can fire slightly early, before the pause is over.
    setTimeout(work, ms >= 1_000 ? ms / factor + 2 : ms, ...(rest as []))) as typeof setTimeout)
}
