import type { Leads } from '../contact/create-leads.ts'
import type { Context } from '../context.ts'
import type { MailBudget } from '../leads/emails/mail-budget.ts'

/**
 * What the functions of the inbox need. In a file of its own, because imports must not go in
 * circles.
 */
export type InboxDeps = Context &
  Pick<Leads, 'clientOf' | 'keyedHash'> & {
    budget: MailBudget
    /** Call this after queuing an email that is due now. */
    onQueued: () => void
  }
