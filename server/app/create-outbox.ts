import { join } from 'node:path'
import type { Context } from '../context.ts'
import { handleFailedAnswer } from '../leads/answers/answer-trouble.ts'
import { mailBudget } from '../leads/emails/mail-budget.ts'
import { allNoticeAddresses } from '../leads/emails/notice-addresses.ts'
import { createFileMailer, createSmtpMailer } from '../mail/mailer.ts'
import { type DeliveryMode, isSmtpUsed } from '../outbox/delivery-mode.ts'
import { createOutboxStore } from '../outbox/outbox-store.ts'
import { createOutboxWorker, leadsFor } from '../outbox/outbox-worker.ts'
import { readdress, requeueWritten, retryNow } from '../outbox/resend.ts'
import { createPostLead } from '../webhook/post-lead.ts'
import { createWriteEmail } from './write-email.ts'

export type Outbox = ReturnType<typeof createOutbox>

/**
 * Sends what is queued in the database: emails by SMTP or as files, and leads to the webhook. The
 * two don't wait for each other.
 */
export function createOutbox(context: Context, mode: DeliveryMode) {
  const { db, write, now, log, redact, env, siteUrl } = context
  const mailDir = join(env.DATA_DIR, 'mail')
  if (mode === 'files')
    log.warn(
      { folder: mailDir },
      'SMTP_URL is not set: emails are written as .eml files. To sign in to the inbox, use "npm run leads -- sign-in"',
    )
  if (mode === 'held')
    log.error(
      'SMTP_URL is not set, but this installation has sent emails by SMTP: emails stay queued until it is set',
    )
  const outbox = createOutboxStore({
    db,
    write,
    onFailure: (transaction, email, failure) =>
      handleFailedAnswer(transaction, email, { ...failure, owners: env.MAIL_TO }),
  })
  const addresses = allNoticeAddresses(env)
  const hasInbox = env.INBOX === 'on'
  // Writing files uses up nothing.
  const budget = mailBudget(mode === 'files' ? 0 : env.EMAILS_A_DAY, addresses.length)
  // Reminders need the inbox, where owners mark leads as answered. As .eml files, reminders would
  // reach nobody.
  const sendsReminders = env.REMINDERS === 'on' && hasInbox && mode !== 'files'
  const mailer = env.SMTP_URL
    ? createSmtpMailer(env.SMTP_URL, context.tokens)
    : createFileMailer(mailDir, () => isSmtpUsed(db))
  const hasMailbox = env.IMAP_URL !== undefined && hasInbox
  const sender = { db, mailFrom: env.MAIL_FROM, siteUrl, hasInbox, hasMailbox, now }
  const sendsReceipts = env.VISITOR_RECEIPT === 'on'
  const writeEmail = createWriteEmail({ ...sender, env, redact, sendsReminders, sendsReceipts, budget })
  const sending = { outbox, log, redact, now, random: Math.random }
  const emails = createOutboxWorker({
    ...sending,
    async deliver(email, signal) {
      const written = await writeEmail(email)
      return typeof written === 'string' ? { unsent: written } : mailer.send(written, signal)
    },
    isToFiles: mode === 'files',
  })
  const webhook =
    env.webhook &&
    createOutboxWorker({
      ...sending,
      deliver: createPostLead({ ...sender, receiver: env.webhook }),
      lowestFor: leadsFor,
    })

  return {
    mailDir,
    budget,
    sendsReminders,
    /** Call this after queuing emails. */
    wake() {
      emails.wake()
      webhook?.wake()
    },
    /** Whether no emails are sent, because they are held or because all sends hang. */
    isStalled: emails.isStalled,
    /** Tries at once what has failed before, because a restart may have fixed the cause. */
    async start() {
      await outbox.releaseAll(now())
      await readdress(db, { addresses, webhook: env.webhook })
      if (mode === 'smtp') await requeueWritten(db, now())
      await retryNow(db, now())
      if (mode !== 'held') emails.start()
      webhook?.start()
    },
    /** Resolves once nothing is being sent. What is cut off becomes due again immediately. */
    async stop() {
      await Promise.all([emails.stop(), webhook?.stop()])
      mailer.close()
    },
  }
}
