import { join } from 'node:path'
import type { Context } from './context.ts'
import { createDelivery } from './delivery.ts'
import { handleFailedAnswer } from './inbox/leads/handle-failed-answer.ts'
import { mailBudget } from './leads/mail-budget.ts'
import { createFileMailer, createSmtpMailer } from './mail/mailer.ts'
import { MAIL_PATIENCE_MS } from './outbox/backlog.ts'
import { type DeliveryMode, isSmtpRecorded, requeueWritten } from './outbox/delivery-mode.ts'
import { createOutboxStore } from './outbox/outbox-store.ts'
import { createOutboxWorker } from './outbox/outbox-worker.ts'
import { recordWebhook } from './outbox/webhook-setting.ts'
import { createPostLead } from './webhook/post-lead.ts'

export type Outbox = ReturnType<typeof createOutbox>

/** Sends what is queued in the database: emails by SMTP or as files, and leads to the webhook. */
export function createOutbox(context: Context, mode: DeliveryMode, isCrowded = () => false) {
  const { db, write, now, log, redact, env, siteUrl } = context
  const mailDir = join(env.DATA_DIR, 'mail')
  logMode(context, mode, mailDir)
  const webhookHost = env.webhook && new URL(env.webhook.url).host
  const outbox = createOutboxStore(db, write, env.MAIL_TO, handleFailedAnswer, webhookHost)

  const hasInbox = env.INBOX === 'on'
  // Writing files uses up nothing.
  const budget = mailBudget(mode === 'files' ? 0 : env.EMAILS_A_DAY, env.MAIL_TO.length)
  // Reminders need the inbox, where owners mark leads as answered. As .eml files, reminders would reach nobody.
  const sendsReminders = env.REMINDERS === 'on' && hasInbox && mode !== 'files'
  const mailer = env.SMTP_URL
    ? createSmtpMailer(env.SMTP_URL)
    : createFileMailer(mailDir, () => isSmtpRecorded(db))
  const sender = { db, mailFrom: env.MAIL_FROM, siteUrl, hasInbox, now }
  const worker = createOutboxWorker({
    outbox,
    deliver: createDelivery({ ...sender, mailer, sendsReminders, budget }),
    postLead: env.webhook && createPostLead({ ...sender, receiver: env.webhook }),
    log,
    redact,
    now,
    random: Math.random,
    isHeld: mode === 'held',
    isCrowded,
  })
  // Held emails count as late immediately, except on PostgreSQL, where another replica may send them.
  const patienceMs = mode === 'held' && !env.DATABASE_URL ? 0 : MAIL_PATIENCE_MS

  return {
    mode,
    mailDir,
    budget,
    sendsReminders,
    wake: worker.wake,
    wakeAt: worker.wakeAt,
    isStalled: worker.isStalled,
    /** Emails that were queued before this time are late. */
    waitingSince: () => new Date(now().getTime() - patienceMs),
    async sendWritten(signal: AbortSignal) {
      const notices = await requeueWritten(db, now, signal)
      if (notices > 0) log.warn({ notices }, 'sending notices that were only written to files')
    },
    async start() {
      await recordWebhook(db, webhookHost !== undefined)
      await worker.start()
    },
    async stop() {
      await worker.stop()
      mailer.close()
    },
  }
}

function logMode({ log }: Context, mode: DeliveryMode, folder: string) {
  if (mode === 'files') log.warn({ folder }, 'SMTP_URL is not set: emails are written as .eml files')
  if (mode === 'held')
    log.error(
      'SMTP_URL is not set, but this installation has sent emails by SMTP: emails stay queued until it is set',
    )
}
