import type { Context } from '../context.ts'
import type { Leads } from '../leads/create-leads.ts'
import type { MailBudget } from '../leads/mail-budget.ts'

/** What the functions of the inbox need. In a file of its own, because imports must not go in circles. */
export type InboxDeps = Context &
  Pick<Leads, 'clientOf' | 'keyedHash'> & {
    budget: MailBudget
    /** Call this after queuing an email that is due now. */
    onQueued: () => void
  }
