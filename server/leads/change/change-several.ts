import type * as z from 'zod/mini'
import type { LeadState, LeadStatus, SeveralStatus, severalChanges } from '#shared/inbox/lead.ts'
import type { Database } from '../../database/schema.ts'
import { Problem } from '../../errors/problem.ts'
import {
  type Change,
  type ChangeDeps,
  followUp,
  getLead,
  lastChange,
  lockOf,
  markLead,
  undoChange,
} from './change-lead.ts'

export type SeveralChange = z.infer<(typeof severalChanges)[keyof typeof severalChanges]>

/**
 * Makes the same change to several leads in one transaction, or undoes their latest one. A lead
 * that another owner has changed meanwhile stays as it is. Repeating a change whose response was
 * lost has no further effect.
 */
export const changeSeveral = (
  { write, now }: ChangeDeps,
  who: string,
  { leads, ...wanted }: SeveralChange,
): Promise<SeveralStatus> =>
  write(
    async (transaction) => {
      const at = now()
      const inside: ChangeDeps = { write: (work) => work(transaction), now: () => at }
      const changed: SeveralStatus['changed'] = []
      const left: string[] = []
      for (const { reference, version } of leads) {
        const change = { reference, version, who }
        try {
          changed.push({ reference, ...(await changeOne(inside, change, wanted)) })
        } catch (error) {
          if (!(error instanceof Problem) || error.code === 'invalid_input') throw error
          const { current } = error.facts
          if (current && (await isDone(transaction, change, wanted))) changed.push({ reference, ...current })
          // If a lead is as the owner saw it, it's no news that the change isn't possible: it is
          // already marked so, for example.
          else if (current?.version !== version) left.push(reference)
        }
      }
      return { changed, left }
    },
    // Locked in the order of the names, so that two owners never wait for each other.
    leads.map(({ reference }) => lockOf(reference)),
  )

type Wanted = { state: LeadState } | { on: string | null } | object

function changeOne(deps: ChangeDeps, change: Change, wanted: Wanted): Promise<LeadStatus> {
  if ('state' in wanted) return markLead(deps, { ...change, ...wanted })
  return 'on' in wanted ? followUp(deps, { ...change, on: wanted.on }) : undoChange(deps, change)
}

/**
 * Whether the change was already made: it is the only one since this version, and by the same
 * owner.
 */
async function isDone(transaction: Database, { reference, version, who }: Change, wanted: Wanted) {
  const lead = await getLead(transaction, reference)
  const last = await lastChange(transaction, lead.id)
  if (lead.version !== version + 1 || last?.who !== who) return false
  if ('state' in wanted) return ['state', 'verdict'].includes(last.what) && lead.state === wanted.state
  return 'on' in wanted ? last.what === 'follow_up' && last.to_value === wanted.on : last.what === 'undone'
}
