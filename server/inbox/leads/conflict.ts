import type { Database } from '../../database/schema.ts'
import { Problem } from '../../problem.ts'
import { type LeadEventRow, lastChange } from './lead-events.ts'
import type { StoredLead } from './lock-lead.ts'
import { ownerName } from './owner-name.ts'

/** The error for a rejected change; it tells the page the current state. */
export const conflict = ({ state, version }: StoredLead, detail: string): Problem =>
  new Problem('conflict', detail, { current: { state, version } })

/** The error for a change based on an old version; it says who has changed the lead since. */
export async function changedMeanwhile(db: Database, lead: StoredLead, who: string): Promise<Problem> {
  const last = await lastChange(db, lead.id)
  return conflict(lead, last ? `${describe(last, who)}.` : 'This lead has already changed.')
}

function describe({ who, what, to_value }: LeadEventRow, reader: string): string {
  const actor = who === reader ? 'You have already' : `${nameOf(who)} has already`
  switch (what) {
    case 'state':
      return `${actor} marked this lead as ${to_value}`
    case 'verdict':
      return `${actor} marked this lead as ${to_value === 'spam' ? 'spam' : 'not spam'}`
    case 'follow_up':
      return `${actor} changed the follow-up date`
    case 'undone':
      return `${actor} undone the last change`
    case 'answer':
      return `${actor} answered this lead`
    case 'answer_undone':
      return `${actor} undone an answer to this lead`
    case 'answer_failed':
      return 'This lead has changed: an answer could not be delivered'
    default:
      return `${actor} changed this lead`
  }
}

const nameOf = (who: string) => (who === 'shell' ? 'Someone on the server' : ownerName(who) || who)
