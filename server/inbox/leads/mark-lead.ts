import type { LeadState, LeadStatus } from '#shared/inbox/lead.ts'
import type { Database } from '../../database/schema.ts'
import { type Change, type ChangeDeps, changeLead, type Decision } from './change-lead.ts'
import { conflict } from './conflict.ts'
import { lastChange, stateBeforeSpam } from './lead-events.ts'
import type { StoredLead } from './lock-lead.ts'

// Marking a lead as open this soon after a change undoes the change. Later, it only reopens the lead.
const UNDO_MS = 10 * 60 * 1000

/** Changes the state of a lead. Throws a Problem: `conflict` if somebody was faster or the change isn't allowed. */
export const markLead = (
  deps: ChangeDeps,
  { state, ...change }: Change & { state: LeadState },
): Promise<LeadStatus> =>
  changeLead(deps, change, async (lead, at, transaction) => {
    await assertPossible(transaction, lead, state)
    const event = { what: 'state', from_value: lead.state, to_value: state } as const
    if (state === 'spam') return { set: { state, verdict: 'spam' }, events: [event] }
    const verdict = lead.state === 'spam' ? null : lead.verdict
    if (state === 'lost') return { set: { state, verdict }, events: [event] }
    if (state === 'open')
      return { set: { state, verdict, ...(await columnsToRestore(transaction, lead, at)) }, events: [event] }
    const answered_at = lead.answered_at ?? at.toISOString()
    if (state === 'won') return { set: { state, verdict, answered_at }, events: [event] }
    const set = { state, verdict, answered_at, trouble: null, follow_up_on: null }
    return { set, events: [...followUpEnds(lead), event] }
  })

async function assertPossible(db: Database, lead: StoredLead, state: LeadState) {
  if (lead.state === state) throw conflict(lead, `This lead is already marked as ${state}.`)
  if (lead.state !== 'spam' || state === 'open' || state === (await stateBeforeSpam(db, lead.id))) return
  throw conflict(lead, 'This lead is marked as spam. If it is not spam, say so first.')
}

/** The event of a follow-up that ends. It records the date, so that undo can restore it. */
export const followUpEnds = ({ follow_up_on }: StoredLead): Decision['events'] =>
  follow_up_on ? [{ what: 'follow_up', from_value: follow_up_on, to_value: null }] : []

/** If marking the lead as open undoes the last change: the columns that the change set or cleared. */
async function columnsToRestore(db: Database, lead: StoredLead, at: Date) {
  const last = await lastChange(db, lead.id)
  const isUndo = last?.what === 'state' && last.from_value === 'open'
  if (!isUndo || at.getTime() - Date.parse(last.at) > UNDO_MS) return {}
  const ended = await db
    .selectFrom('lead_events')
    .select('from_value')
    .where('lead_id', '=', lead.id)
    .where('what', '=', 'follow_up')
    .where('to_value', 'is', null)
    .where('at', '=', last.at)
    .executeTakeFirst()
  return {
    ...(lead.answered_at === last.at && { answered_at: null }),
    ...(ended && { follow_up_on: ended.from_value }),
  }
}
