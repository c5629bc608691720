import { type Insertable, type Selectable, sql } from 'kysely'
import { minorEvents } from '#shared/inbox/lead.ts'
import type { LeadStatus } from '#shared/inbox/lead-changes.ts'
import type { Write } from '../../database/group-commit.ts'
import type { Database, Schema } from '../../database/schema.ts'
import { Problem } from '../../errors/problem.ts'
import { sortKey } from '../lists/sort-key.ts'
import { fileNames, filesOf } from '../messages/message-text.ts'
import { foundIn, type SearchText } from '../search/found-in.ts'
import { isMessage } from '../search/senders.ts'
import { addToSearchText, updateSearchText } from '../search/written-text.ts'

export type ChangeDeps = { write: Write; now: () => Date }
/** A change by `who` (an owner's address, or `shell`), based on a version of the lead. */
export type Change = { reference: string; version: number; who: string }
export type StoredLead = Selectable<Schema['leads']>
export type LeadEventRow = Selectable<Schema['lead_events']>
type NewLeadEvent = Omit<Insertable<Schema['lead_events']>, 'id'>

const HAS_CHANGED = 'This lead has changed. Look at it again before you go on.'

// The columns that a change may set, and that undoing the change restores.
const columns = [
  'state',
  'result',
  'verdict',
  'follow_up_at',
  'due_at',
  'trouble',
  'answered_at',
  'replied_at',
  'read_up_to',
  'sort_key',
] as const satisfies (keyof StoredLead)[]
export type Undoable = Pick<StoredLead, (typeof columns)[number]>

export type Decision = {
  set: Partial<Undoable & Pick<StoredLead, 'first_due_at'>>
  /**
   * The history entry, by default about the state. It gets a snapshot of the lead, unless `before`
   * is null: then the change cannot be undone.
   */
  event: Omit<NewLeadEvent, 'lead_id' | 'at' | 'who'> & { before?: null }
  /** What the text of the event is found by, if that is known. */
  found?: SearchText
}
/** Decides what to change, or throws a Problem to reject the change. */
type Decide = (lead: StoredLead, at: Date, transaction: Database) => Decision | Promise<Decision>

/**
 * Changes a lead in one transaction. If two owners change it at the same time, one succeeds and the
 * other gets a `conflict` with the current state.
 */
export const changeLead = (deps: ChangeDeps, change: Change, decide: Decide): Promise<LeadStatus> =>
  lockLead(deps.write, change.reference, async (transaction, lead) => {
    requireVersion(lead, change.version)
    const at = deps.now()
    const decision = await decide(lead, at, transaction)
    return applyDecision(transaction, lead, decision, { at, who: change.who })
  })

/**
 * Undoes the latest change to a lead, unless it is an answer (see `undoAnswer`) or a message.
 * Throws a Problem: `conflict` if there is nothing to undo, or if the lead has changed since the
 * version that the owner saw.
 */
export const undoChange = (deps: ChangeDeps, change: Change): Promise<LeadStatus> =>
  changeLead(deps, change, async (lead, _at, transaction) => {
    const last = await lastChange(transaction, lead.id)
    if (!last?.before || last.what === 'answer' || last.what === 'reply')
      throw conflict(lead, 'There is nothing to undo.')
    const set: Undoable = JSON.parse(last.before)
    return { set, event: { what: 'undone', before: null } }
  })

/**
 * An SQL condition for the row of `lead_events` with this alias, a change: it was undone, which the
 * next change says.
 */
export const wasUndone = (event: string) => sql<boolean>`coalesce((select next.what from lead_events as next
  where next.lead_id = ${sql.ref(`${event}.lead_id`)} and next.id > ${sql.ref(`${event}.id`)}
    and next.what not in (${sql.join(minorEvents.map((what) => sql.lit(what)))})
  order by next.id limit 1), '') = 'undone'`

/** What a transaction locks to change a lead, so that no other changes it at the same time. */
export const lockOf = (reference: string): string => `lead ${reference}`

/** Runs a transaction that changes a lead. Throws a Problem if there is no such lead. */
export const lockLead = <Result>(
  write: Write,
  reference: string,
  work: (transaction: Database, lead: StoredLead) => Promise<Result>,
): Promise<Result> =>
  write(async (transaction) => work(transaction, await getLead(transaction, reference)), [lockOf(reference)])

/** Reads a lead. Throws a Problem if there is no such lead. */
export async function getLead(db: Database, reference: string): Promise<StoredLead> {
  const lead = await db.selectFrom('leads').selectAll().where('reference', '=', reference).executeTakeFirst()
  if (lead) return lead
  throw new Problem('not_found', `There is no lead ${reference}. It may have been erased.`)
}

/**
 * Stores a decision and its history entry. Throws a `conflict` if the lead has changed since it was
 * read.
 */
export async function applyDecision(
  transaction: Database,
  lead: StoredLead,
  { set, event, found }: Decision,
  { at, who }: { at: Date; who: string },
): Promise<LeadStatus> {
  const time = at.toISOString()
  const version = lead.version + 1
  const state = set.state ?? lead.state
  // Nobody waits for an answer to what has been written so far.
  const isRead = state !== 'open' || event.what === 'nothing_to_answer'
  const read_up_to = isRead ? await newestEvent(transaction, lead.id) : lead.read_up_to
  const { numUpdatedRows } = await transaction
    .updateTable('leads')
    .set({ read_up_to, sort_key: sortKey({ ...lead, ...set }, time), ...set, version })
    .where('id', '=', lead.id)
    .where('version', '=', lead.version)
    .executeTakeFirst()
  if (numUpdatedRows !== 1n) throw conflict(lead, HAS_CHANGED)
  const change = { from_value: lead.state, to_value: state, before: JSON.stringify(lead, [...columns]) }
  await addEvent(transaction, { ...change, ...event, lead_id: lead.id, at: time, who }, found)
  return { state, version }
}

/**
 * Adds an event, and makes searches find what somebody has written, with which files, and from
 * which address.
 */
export async function addEvent(db: Database, event: NewLeadEvent, found?: SearchText): Promise<void> {
  await db.insertInto('lead_events').values(event).execute()
  const { text, files = null } = event
  if (!found && !text) return
  const added = found ?? foundIn([text, ...fileNames(filesOf({ received: null, files }))].join(' | '))
  await addToSearchText(db, event.lead_id, added, isMessage(event) ? event.who : '')
}

/** The number of a lead's newest event; 0 if there is none. */
async function newestEvent(db: Database, leadId: string): Promise<number> {
  const { id } = await db
    .selectFrom('lead_events')
    .select(sql<number>`coalesce(max(id), 0)`.as('id'))
    .where('lead_id', '=', leadId)
    .executeTakeFirstOrThrow()
  return id
}

/**
 * The newest event that changed the lead: not a note, and not the first time that an owner opened
 * the lead.
 */
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

/** Throws the error for a change of a lead that is marked as spam. */
export function requireNotSpam(lead: StoredLead): void {
  if (lead.state === 'spam') throw conflict(lead, 'This lead is marked as spam. Mark it as not spam first.')
}

/**
 * Does something with a lead that never conflicts with other changes, so that its version stays the
 * same.
 */
export const withLead = (
  { write, now }: ChangeDeps,
  reference: string,
  work: (transaction: Database, lead: StoredLead, now: Date) => Promise<unknown>,
): Promise<LeadStatus> =>
  lockLead(write, reference, async (transaction, lead) => {
    await work(transaction, lead, now())
    return { state: lead.state, version: lead.version }
  })

type Unversioned = Omit<Change, 'version'>

/**
 * Records that the lead was opened, and who did so first. `upTo`: the newest event that the owner
 * has seen.
 */
export const markSeen = (
  deps: ChangeDeps,
  { reference, who, upTo = Number.MAX_SAFE_INTEGER }: Unversioned & { upTo?: number },
): Promise<LeadStatus> =>
  withLead(deps, reference, async (transaction, { id, seen_at, read_up_to }, now) => {
    const at = now.toISOString()
    const newest = await newestEvent(transaction, id)
    const read = { seen_at: seen_at ?? at, read_up_to: Math.max(read_up_to, Math.min(upTo, newest)) }
    await transaction.updateTable('leads').set(read).where('id', '=', id).execute()
    if (seen_at !== null) return
    // It may be unread for the second time: see `createTakeIn`.
    const seen = transaction.selectFrom('lead_events').select('id').where('lead_id', '=', id)
    if (await seen.where('what', '=', 'seen').executeTakeFirst()) return
    await addEvent(transaction, { lead_id: id, at, who, what: 'seen' })
  })

/** Adds a note, but only once per key. */
export const noteLead = (
  deps: ChangeDeps,
  { reference, who, text, key }: Unversioned & { key: string; text: string },
): Promise<LeadStatus> =>
  withLead(deps, reference, async (transaction, { id }, now) => {
    const { numInsertedOrUpdatedRows } = await transaction
      .insertInto('lead_events')
      .values({ lead_id: id, at: now.toISOString(), who, what: 'note', text, key })
      .onConflict((conflict) => conflict.column('key').doNothing())
      .executeTakeFirst()
    if (numInsertedOrUpdatedRows) await addToSearchText(transaction, id, foundIn(text), '')
  })

/** Deletes a note, if this owner wrote it. Safe to repeat. */
export const undoNote = (
  deps: ChangeDeps,
  { reference, who, key }: Unversioned & { key: string },
): Promise<LeadStatus> =>
  withLead(deps, reference, async (transaction, { id }) => {
    await transaction
      .deleteFrom('lead_events')
      .where((event) => event.and({ lead_id: id, who, key, what: 'note' }))
      .execute()
    await updateSearchText(transaction, id)
  })
