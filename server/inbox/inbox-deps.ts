import type { Context } from '../context.ts'
import type { Leads } from '../leads/create-leads.ts'
import type { MailBudget } from '../leads/mail-budget.ts'

type Neighbors = {
  leads: Pick<Leads, 'clientOf' | 'keyedHash'>
  outbox: { budget: MailBudget; wake: () => void }
}

/** What the functions of the inbox need. */
export type InboxDeps = ReturnType<typeof inboxDeps>

export const inboxDeps = ({ env, ...context }: Context, { leads, outbox }: Neighbors) => ({
  ...context,
  mailFrom: env.MAIL_FROM,
  /** The owners' addresses. */
  mailTo: env.MAIL_TO as readonly string[],
  /** Returns a keyed hash of the network that a request comes from. */
  clientOf: leads.clientOf,
  /** Hashes text with this installation's secret key. */
  keyedHash: leads.keyedHash,
  budget: outbox.budget,
  /** The environment for child processes. */
  env: process.env,
  /** Whether visitors get receipts (`VISITOR_RECEIPT`). */
  sendsReceipts: env.VISITOR_RECEIPT === 'on',
  /** Whether emails go to a mail server (`SMTP_URL`) instead of becoming .eml files. */
  hasMailServer: env.SMTP_URL !== undefined,
  /** Call this after queuing an email that is due now. */
  onQueued: outbox.wake,
})
