import type { Request } from 'express'
import type { Context } from '../context.ts'
import type { Leads } from '../leads/create-leads.ts'
import type { MailBudget } from '../leads/mail-budget.ts'
import type { MailAddress } from '../mail/mailer.ts'

/** What the functions of the inbox need. */
export type InboxDeps = Pick<Context, 'db' | 'write' | 'now' | 'log' | 'siteUrl'> & {
  mailFrom: MailAddress
  /** The owners' addresses. */
  mailTo: readonly string[]
  /** Returns a keyed hash of the network that a request comes from. */
  clientOf: (request: Pick<Request, 'ip'>) => string
  /** Hashes text with this installation's secret key. */
  keyedHash: (text: string) => string
  budget: MailBudget
  /** The environment for child processes. */
  env: NodeJS.ProcessEnv
  /** Whether visitors get receipts (`VISITOR_RECEIPT`). */
  sendsReceipts: boolean
  /** Whether emails go to a mail server (`SMTP_URL`) instead of becoming .eml files. */
  hasMailServer: boolean
  /** Call this after queuing an email that is due now. */
  onQueued: () => void
}

type Neighbors = {
  leads: Pick<Leads, 'clientOf' | 'keyedHash'>
  outbox: { budget: MailBudget; wake: () => void }
}

export const inboxDeps = ({ env, ...context }: Context, { leads, outbox }: Neighbors): InboxDeps => ({
  ...context,
  mailFrom: env.MAIL_FROM,
  mailTo: env.MAIL_TO,
  clientOf: leads.clientOf,
  keyedHash: leads.keyedHash,
  budget: outbox.budget,
  env: process.env,
  sendsReceipts: env.VISITOR_RECEIPT === 'on',
  hasMailServer: env.SMTP_URL !== undefined,
  onQueued: outbox.wake,
})
