import type { Insertable, Selectable } from 'kysely'
import { type LeadState, type LeadStatus, minorEvents } from '#shared/inbox/lead.ts'
import { lockNames } from '../../database/differences.ts'
import type { Write } from '../../database/group-commit.ts'
import type { Database, Schema } from '../../database/schema.ts'
import { Problem } from '../../problem.ts'
import { ownerName } from './answer-template.ts'

export type ChangeDeps = { write: Write; now: () => Date }
/** A change by `who` (an owner's address, or `shell`), based on a version of the lead. */
export type Change = { reference: string; version: number; who: string }
export type StoredLead = Selectable<Schema['leads']>
export type LeadEventRow = Selectable<Schema['lead_events']>
type NewLeadEvent = Omit<Insertable<Schema['lead_events']>, 'id'>

// The columns that a change may set, and that undoing the change restores.
const columns = ['state', 'verdict', 'follow_up_on', 'trouble', 'answered_at', 'sort_key'] as const
export type Undoable = Pick<StoredLead, (typeof columns)[number]>

/** Those columns of a lead as JSON. Stored with a change, so that undo can restore them. */
export const snapshot = (lead: Undoable): string => JSON.stringify(lead, [...columns])

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
    if (lead.version !== change.version) throw await changedMeanwhile(transaction, lead, change.who)
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
  const lead = await transaction
    .selectFrom('leads')
    .selectAll()
    .where('reference', '=', reference)
    .executeTakeFirst()
  if (!lead) throw new Problem('not_found', `There is no lead ${reference}. It may have been erased.`)
  return lead
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
  if (numUpdatedRows !== 1n)
    throw await changedMeanwhile(transaction, await lockLead(transaction, lead.reference), who)
  await addEvent(transaction, { before: snapshot(lead), ...event, lead_id: lead.id, at: time, who })
  return { state: set.state ?? lead.state, version }
}

type Sorted = { state: LeadState; due_at: string; follow_up_on: string | null; trouble: string | null }

/**
 * Returns a key that orders the lists; `reads/lists.ts` depends on the format of the keys. The key of an open lead begins
 * with "1" if the lead has a follow-up, and otherwise with "0" if an answer did not arrive. The key of any other open lead
 * is its due time, which begins with the "2" of its year. Answered leads with a follow-up are sorted among the open ones.
 * The key of all remaining leads is the time of their last change.
 */
export function sortKey({ state, due_at, follow_up_on, trouble }: Sorted, changedAt: string): string {
  if (state !== 'open' && !(state === 'answered' && follow_up_on)) return changedAt
  if (follow_up_on) return `1${follow_up_on}`
  return trouble ? `0${changedAt}` : due_at
}

export const addEvent = (db: Database, event: NewLeadEvent) =>
  db.insertInto('lead_events').values(event).execute()

/**
 * The event recorded with this idempotency key, for any lead. Blocks other requests with the same key until the transaction
 * ends. Call it after `lockLead`: taking locks in the same order everywhere prevents deadlocks.
 */
export async function findByKey(transaction: Database, key: string): Promise<LeadEventRow | undefined> {
  await lockNames(transaction, [`key ${key}`])
  return transaction.selectFrom('lead_events').selectAll().where('key', '=', key).executeTakeFirst()
}

/** The newest event that changed the lead: not a note, and not the first time that an owner opened the lead. */
const lastChange = (db: Database, leadId: string): Promise<LeadEventRow | undefined> =>
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
