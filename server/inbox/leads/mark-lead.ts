import type { LeadState, LeadStatus } from '#shared/inbox/lead.ts'
import type { Database } from '../../database/schema.ts'
import { type Change, type ChangeDeps, changeLead, type Decision } from './change-lead.ts'
import { conflict } from './conflict.ts'
import { lastChange, stateBeforeSpam } from './lead-events.ts'
import type { StoredLead } from './lock-lead.ts'

// Opening a lead this soon after a change undoes the change. Later, it reopens the lead.
const UNDO_MS = 10 * 60 * 1000

/** Changes the state of a lead. Throws a Problem: `conflict` if somebody was faster or the change isn't allowed. */
export const markLead = (
  deps: ChangeDeps,
  { state, ...change }: Change & { state: LeadState },
): Promise<LeadStatus> =>
  changeLead(deps, change, async (lead, at, transaction) => {
    await assertPossible(transaction, lead, state)
    const moved = { what: 'state', from_value: lead.state, to_value: state } as const
    if (state === 'spam') return { set: { state, verdict: 'spam' }, events: [moved] }
    const verdict = lead.state === 'spam' ? null : lead.verdict
    if (state === 'lost') return { set: { state, verdict }, events: [moved] }
    if (state === 'open')
      return { set: { state, verdict, ...(await undone(transaction, lead, at)) }, events: [moved] }
    const answered_at = lead.answered_at ?? at.toISOString()
    if (state === 'won') return { set: { state, verdict, answered_at }, events: [moved] }
    const set = { state, verdict, answered_at, trouble: null, follow_up_on: null }
    return { set, events: [...followUpEnds(lead), moved] }
  })

async function assertPossible(db: Database, lead: StoredLead, to: LeadState) {
  if (lead.state === to) throw conflict(lead, `This lead is already marked as ${to}.`)
  if (lead.state !== 'spam' || to === 'open' || to === (await stateBeforeSpam(db, lead.id))) return
  throw conflict(lead, 'This lead is marked as spam. If it is not spam, say so first.')
}

/** Records the date in the history, so that undo can restore it. */
export const followUpEnds = ({ follow_up_on }: StoredLead): Decision['events'] =>
  follow_up_on ? [{ what: 'follow_up', from_value: follow_up_on, to_value: null }] : []

/** If opening the lead undoes the last change, restores the columns that the change set or cleared. */
async function undone(db: Database, lead: StoredLead, at: Date) {
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
