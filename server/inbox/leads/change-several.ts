import type * as z from 'zod/mini'
import type { SeveralStatus, severalChanges } from '#shared/inbox/lead.ts'
import type { Database } from '../../database/schema.ts'
import { Problem } from '../../problem.ts'
import {
  applyDecision,
  type ChangeDeps,
  type Decide,
  followUpOn,
  lastChange,
  markAs,
  type StoredLead,
  undoLast,
} from './change-lead.ts'

export type SeveralChange = z.infer<(typeof severalChanges)[keyof typeof severalChanges]>

/**
 * Makes the same change to several leads in one transaction, or undoes their latest one. A lead that has another version than
 * the owner saw stays as it is. Repeating a change whose response was lost has no further effect.
 */
export function changeSeveral(
  { write, now }: ChangeDeps,
  who: string,
  change: SeveralChange,
): Promise<SeveralStatus> {
  const versions = new Map(change.leads.map(({ reference, version }) => [reference, version]))
  const references = [...versions.keys()]
  const work = async (transaction: Database) => {
    const found = await transaction
      .selectFrom('leads')
      .selectAll()
      .where('reference', 'in', references)
      .orderBy('reference')
      .execute()
    const at = now()
    const changed: SeveralStatus['changed'] = []
    const left = new Set(references)
    for (const lead of found) {
      const { reference, state, version } = lead
      const seen = versions.get(reference)
      const status =
        version === seen
          ? await decideAlone(transaction, lead, decisionOf(change), { at, who })
          : version - 1 === seen && (await isSameChange(transaction, lead, change, who)) && { state, version }
      if (status) changed.push({ reference, ...status })
      // If a lead that the owner has seen rejects the change, that is no news: it is already marked so, for example.
      if (status || version === seen) left.delete(reference)
    }
    return { changed, left: [...left] }
  }
  // `lockNames` sorts the names, so that two owners never wait for each other.
  return write(
    work,
    references.map((reference) => `lead ${reference}`),
  )
}

const decisionOf = (change: SeveralChange): Decide =>
  'state' in change ? markAs(change.state) : 'on' in change ? followUpOn(change.on) : undoLast

/** Changes one of the leads; undefined if its state doesn't allow that. */
async function decideAlone(
  transaction: Database,
  lead: StoredLead,
  decide: Decide,
  by: { at: Date; who: string },
) {
  try {
    return await applyDecision(transaction, lead, await decide(lead, by.at, transaction), by)
  } catch (error) {
    if (error instanceof Problem && error.code === 'conflict') return undefined
    throw error
  }
}

/** Whether the latest change is the same one by the same owner. */
async function isSameChange(transaction: Database, lead: StoredLead, change: SeveralChange, who: string) {
  const last = await lastChange(transaction, lead.id)
  if (last?.who !== who) return false
  if ('on' in change) return last.what === 'follow_up' && last.to_value === change.on
  if (!('state' in change)) return last.what === 'undone'
  return (last.what === 'state' || last.what === 'verdict') && lead.state === change.state
}
