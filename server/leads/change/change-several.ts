import type * as z from 'zod/mini'
import type { LeadStatus, SeveralStatus, severalChanges } from '#shared/inbox/lead-changes.ts'
import type { Database } from '../../database/schema.ts'
import { Problem } from '../../errors/problem.ts'
import { type Change, type ChangeDeps, getLead, lastChange, lockOf, undoChange } from './change-lead.ts'
import { followUp, inUtc, markLead, markResult, nothingToAnswer } from './mark-lead.ts'

type Bodies = { [Name in keyof typeof severalChanges]: z.infer<(typeof severalChanges)[Name]> }
/** A change of several leads: its name, and its request body without the leads. */
export type SeveralChange = {
  [Name in keyof Bodies]: { what: Name } & Bodies[Name]
}[keyof Bodies]

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

type Wanted = SeveralChange extends infer One
  ? One extends SeveralChange
    ? Omit<One, 'leads'>
    : never
  : never

function changeOne(deps: ChangeDeps, change: Change, wanted: Wanted): Promise<LeadStatus> {
  switch (wanted.what) {
    case 'state':
      return markLead(deps, { ...change, state: wanted.state })
    case 'result':
      return markResult(deps, { ...change, result: wanted.result })
    case 'nothing-to-answer':
      return nothingToAnswer(deps, change)
    case 'follow-up':
      return followUp(deps, { ...change, at: wanted.at, note: wanted.note })
    case 'undo':
      return undoChange(deps, change)
  }
}

/**
 * Whether the change was already made: it is the only one since this version, and by the same
 * owner.
 */
async function isDone(transaction: Database, { reference, version, who }: Change, wanted: Wanted) {
  const lead = await getLead(transaction, reference)
  const last = await lastChange(transaction, lead.id)
  if (lead.version !== version + 1 || last?.who !== who) return false
  switch (wanted.what) {
    case 'state':
      return ['state', 'verdict'].includes(last.what) && lead.state === wanted.state
    case 'result':
      return last.what === 'result' && lead.result === wanted.result
    case 'nothing-to-answer':
      return last.what === 'nothing_to_answer'
    case 'follow-up':
      return last.what === 'follow_up' && last.to_value === inUtc(wanted.at)
    case 'undo':
      return last.what === 'undone'
  }
}
