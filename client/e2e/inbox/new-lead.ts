import type { LeadDetail } from '#shared/inbox/lead.ts'
import { sampleLead } from './sample-leads.ts'

/** A lead that arrives while the inbox is open. */
export const newLead = (): LeadDetail =>
  sampleLead(0, {
    reference: 'Q-NEW1-LEAD',
    firstName: 'Nora',
    lastName: 'New',
    message: 'Hello!',
    isUnread: true,
  })
