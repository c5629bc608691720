import type { Leads } from '../contact/create-leads.ts'
import type { Context } from '../context.ts'

/**
 * What the functions of the inbox need. In a file of its own, because imports must not go in
 * circles.
 */
export type InboxDeps = Context &
  Pick<Leads, 'clientOf' | 'keyedHash'> & {
    /** Call this after queuing an email that is due now. */
    onQueued: () => void
  }
