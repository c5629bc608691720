import type { Insertable, Selectable } from 'kysely'
import { type LeadStatus, minorEvents } from '#shared/inbox/lead.ts'
import { lockNames } from '../../database/differences.ts'
import type { Write } from '../../database/group-commit.ts'
import type { Database, Schema } from '../../database/schema.ts'
import { Problem } from '../../problem.ts'

export type ChangeDeps = { write: Write; now: () => Date }
/** A change by `who` (an owner's address, or `shell`), based on a version of the lead. */
export type Change = { reference: string; version: number; who: string }
export type StoredLead = Selectable<Schema['leads']>
export type LeadEventRow = Selectable<Schema['lead_events']>
type NewLeadEvent = Omit<Insertable<Schema['lead_events']>, 'id'>

const HAS_CHANGED = 'This lead has changed. Look at it again before you go on.'

// The columns that a change may set, and that undoing the change restores.
const columns = ['state', 'verdict', 'follow_up_on', 'trouble', 'answered_at', 'sort_key'] as const
export type Undoable = Pick<StoredLead, (typeof columns)[number]>

export type Decision = {
  set: Partial<Undoable>
  /** The history entry. It gets a snapshot of the lead, unless `before` is null: then the change cannot be undone. */
  event: Omit<NewLeadEvent, 'lead_id' | 'at' | 'who'> & { before?: null }
}
/** Decides what to change, or throws a Problem to reject the change. */
type Decide = (lead: StoredLead, at: Date, transaction: Database) => Decision | Promise<Decision>

/**
 * Changes a lead in one transaction. If two owners change it at the same time, one succeeds and the other gets a
 * `conflict` with the current state.
 */
export const changeLead = (deps: ChangeDeps, change: Change, decide: Decide): Promise<LeadStatus> =>
  deps.write(async (transaction) => {
    const lead = await lockLead(transaction, change.reference)
    requireVersion(lead, change.version)
    const at = deps.now()
    const decision = await decide(lead, at, transaction)
    return applyDecision(transaction, lead, decision, { at, who: change.who })
  })

/**
 * Undoes the latest change to a lead, unless it is an answer (see `undoAnswer`). Throws a Problem: `conflict` if there is
 * nothing to undo, or if the lead has changed since the version that the owner saw.
 */
export const undoChange = (deps: ChangeDeps, change: Change): Promise<LeadStatus> =>
  changeLead(deps, change, async (lead, _at, transaction) => {
    const last = await lastChange(transaction, lead.id)
    if (!last?.before || last.what === 'answer') throw conflict(lead, 'There is nothing to undo.')
    const set: Undoable = JSON.parse(last.before)
    return { set, event: { what: 'undone', from_value: lead.state, to_value: set.state, before: null } }
  })

/** Reads a lead and blocks other owners' changes until the transaction ends. Throws a Problem if there is no such lead. */
export async function lockLead(transaction: Database, reference: string): Promise<StoredLead> {
  await lockNames(transaction, [`lead ${reference}`])
  return getLead(transaction, reference)
}

/** Reads a lead. Throws a Problem if there is no such lead. */
export async function getLead(db: Database, reference: string): Promise<StoredLead> {
  const lead = await db.selectFrom('leads').selectAll().where('reference', '=', reference).executeTakeFirst()
  if (lead) return lead
  throw new Problem('not_found', `There is no lead ${reference}. It may have been erased.`)
}

/** Stores a decision and its history entry. Throws a `conflict` if the lead has changed since it was read. */
export async function applyDecision(
  transaction: Database,
  lead: StoredLead,
  { set, event }: Decision,
  { at, who }: { at: Date; who: string },
): Promise<LeadStatus> {
  const time = at.toISOString()
  const version = lead.version + 1
  const { numUpdatedRows } = await transaction
    .updateTable('leads')
    .set({ sort_key: sortKey({ ...lead, ...set }, time), ...set, version })
    .where('id', '=', lead.id)
    .where('version', '=', lead.version)
    .executeTakeFirst()
  if (numUpdatedRows !== 1n) throw conflict(lead, HAS_CHANGED)
  const before = JSON.stringify(lead, [...columns])
  await addEvent(transaction, { before, ...event, lead_id: lead.id, at: time, who })
  return { state: set.state ?? lead.state, version }
}

/**
 * Returns a key that orders the lists; `reads/lists.ts` depends on the format of the keys. The key of an open lead begins
 * with "1" if the lead has a follow-up, and otherwise with "0" if an answer did not arrive. The key of any other open lead
 * is its due time, which begins with the "2" of its year. Answered leads with a follow-up are sorted among the open ones.
 * The key of all remaining leads is the time of their last change.
 */
function sortKey({ state, due_at, follow_up_on, trouble }: StoredLead, changedAt: string): string {
  if (state !== 'open' && !(state === 'answered' && follow_up_on)) return changedAt
  if (follow_up_on) return `1${follow_up_on}`
  return trouble ? `0${changedAt}` : due_at
}

/**
 * The columns of a lead whose answer doesn't go out: it is open again, unless it is spam. If that was its first answer, it no
 * longer has an answer time.
 */
export const reopened = ({ state, answered_at }: StoredLead, answeredAt: string): Partial<Undoable> =>
  state === 'spam'
    ? {}
    : { state: 'open', follow_up_on: null, ...(answered_at === answeredAt && { answered_at: null }) }

export const addEvent = (db: Database, event: NewLeadEvent) =>
  db.insertInto('lead_events').values(event).execute()

/** The newest event that changed the lead: not a note, and not the first time that an owner opened the lead. */
export const lastChange = (db: Database, leadId: string): Promise<LeadEventRow | undefined> =>
  db
    .selectFrom('lead_events')
    .selectAll()
    .where('lead_id', '=', leadId)
    .where('what', 'not in', minorEvents)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()

/** The error for a rejected change; it tells the page the current state. */
export const conflict = ({ state, version }: StoredLead, detail: string): Problem =>
  new Problem('conflict', detail, { current: { state, version } })

/** Throws the error for a change that is based on an old version. */
export function requireVersion(lead: StoredLead, version: number): void {
  if (lead.version !== version) throw conflict(lead, HAS_CHANGED)
}
