import { join } from 'node:path'
import { pino } from 'pino'
import { vi } from 'vitest'
import { createWriteEmail } from '../../app/write-email.ts'
import { createFileMailer } from '../../mail/mailer.ts'
import { type AttemptDeps, createAttempt, type Deliver } from '../../outbox/attempt.ts'
import { createOutboxWorker } from '../../outbox/outbox-worker.ts'
import type { TestApp } from './build-test-app.ts'

/** Returns functions that fill, inspect and process the outbox of a test's site. */
export function outboxTools(site: TestApp) {
  const rows = () => site.db.selectFrom('outbox').selectAll().orderBy('id').execute()

  const deps = (deliver: Deliver) => ({
    outbox: site.outbox,
    deliver,
    log: pino({ level: 'silent' }),
    redact: String,
    now: () => site.clock.now,
    random: () => 0.5,
  })

  return {
    rows,
    startWorker: (send: Deliver, options = {}) =>
      createOutboxWorker({ ...deps(send), graceMs: 50, ...options }),
    deliveryLog: () => site.db.selectFrom('outbox_attempts').selectAll().execute(),
    submit: (message: string) => site.submit({ message }),
    /** Sends what is due, one email after the other. */
    async deliver(send: Deliver, options: Partial<AttemptDeps> = {}) {
      const attempt = createAttempt({ ...deps(send), ...options }, new AbortController().signal)
      const claim = () => site.outbox.claim(site.clock.now)
      for (let email = await claim(); email; email = await claim()) await attempt(email)
    },
  }
}

/** Claims the next due email. Throws if there is none. */
export async function claimEmail({ outbox, clock }: Pick<TestApp, 'outbox' | 'clock'>, lowest?: number) {
  const email = await outbox.claim(clock.now, lowest)
  if (!email) throw new Error('No email is due.')
  return email
}

/** Delivers all waiting emails to `mail/` in the data directory. */
export async function deliverToFiles(site: TestApp) {
  const mailer = createFileMailer(join(site.dataDir, 'mail'), async () => false)
  const write = writeEmailOf(site)
  const send: Deliver = async (email, signal) => {
    const written = await write(email)
    return typeof written === 'string' ? { unsent: written } : mailer.send(written, signal)
  }
  await outboxTools(site).deliver(send, { isToFiles: true })
}

/** The function that writes what the emails of a test's site say. */
export const writeEmailOf = ({ context, budget, clock }: TestApp, changes = {}) =>
  createWriteEmail({
    ...context,
    mailFrom: { address: 'site@agency.example' },
    siteUrl: 'https://agency.example',
    hasInbox: true,
    sendsReminders: true,
    sendsReceipts: true,
    budget,
    now: () => clock.now,
    ...changes,
  })

/**
 * Makes timers of this length 20 times as short, and `performance.now()`, by which the worker
 * pauses, 20 times as fast. All other timers stay as they are: with shorter deadlines, a busy
 * machine would miss them.
 */
export function speedUp(timerMs: number) {
  const { setTimeout } = globalThis
  const startedAt = performance.now()
  const now = performance.now.bind(performance)
  vi.spyOn(performance, 'now').mockImplementation(() => startedAt + (now() - startedAt) * 20)
  vi.spyOn(globalThis, 'setTimeout').mockImplementation(((work: () => void, ms: number, ...rest: unknown[]) =>
    // The extra 2 ms are needed because timers can fire slightly early, before the pause is over.
    setTimeout(work, ms === timerMs ? ms / 20 + 2 : ms, ...(rest as []))) as typeof setTimeout)
}
