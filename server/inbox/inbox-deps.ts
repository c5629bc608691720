import type { Request } from 'express'
import type { Logger } from 'pino'
import type { Write } from '../database/group-commit.ts'
import type { Database } from '../database/schema.ts'
import type { MailBudget } from '../leads/mail-budget.ts'
import type { MailAddress } from '../mail/mailer.ts'

export type InboxDeps = {
  log: Logger
  db: Database
  write: Write
  now: () => Date
  siteUrl: string
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
  /** Call this after queuing an email that is due later. */
  onQueuedFor: (dueAt: Date) => void
}
