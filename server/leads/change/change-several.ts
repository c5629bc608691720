import type * as z from 'zod/mini'
import type { LeadResult, LeadState } from '#shared/inbox/lead.ts'
import type { Answered, ChangeStatus, LeadStatus, leadChanges } from '#shared/inbox/lead-changes.ts'
import type { Database } from '../../database/schema.ts'
import { Problem } from '../../errors/problem.ts'
import { type Change, type ChangeDeps, getLead, lastChange, lockOf, undoChange } from './change-lead.ts'
import { followUp, inUtc, markLead, markResult, nothingToAnswer } from './mark-lead.ts'

export type ChangeName = keyof typeof leadChanges
/** What a change sets: the fields of its request body in `leadChanges`. */
type Wanted = {
  state?: LeadState
  answered?: Answered | undefined
  result?: LeadResult | null
  at?: string | null
  note?: string | undefined
}

/** Makes a change of one lead from what its schema in `leadChanges` accepts. */
type Make<Name extends ChangeName> = (
  deps: ChangeDeps,
  change: Change & Omit<z.infer<(typeof leadChanges)[Name]>, 'leads'>,
) => Promise<LeadStatus>

// Each change, and the events that it stores.
const changes = {
  state: { make: markLead, events: ['state', 'verdict'] },
  result: { make: markResult, events: ['result'] },
  'nothing-to-answer': { make: nothingToAnswer, events: ['nothing_to_answer'] },
  'follow-up': { make: followUp, events: ['follow_up'] },
  undo: { make: undoChange, events: ['undone'] },
} satisfies { [Name in ChangeName]: { make: Make<Name>; events: string[] } }

/**
 * Makes the same change to one lead or several in one transaction, or undoes their latest one. A
 * lead that another owner has changed meanwhile stays as it is. Repeating a change whose response
 * was lost has no further effect.
 */
export const changeSeveral = (
  { write, now }: ChangeDeps,
  name: ChangeName,
  { who, leads, ...wanted }: { who: string; leads: Pick<Change, 'reference' | 'version'>[] } & Wanted,
): Promise<ChangeStatus> =>
  write(
    async (transaction) => {
      const at = now()
      const inside: ChangeDeps = { write: (work) => work(transaction), now: () => at }
      const changed: ChangeStatus['changed'] = []
      const left: string[] = []
      for (const { reference, version } of leads) {
        const change = { ...wanted, reference, version, who }
        try {
          changed.push({ reference, ...(await changes[name].make(inside, change as never)) })
        } catch (error) {
          if (!(error instanceof Problem) || error.code === 'invalid_input') throw error
          const { current } = error.facts
          if (current && (await isDone(transaction, name, change))) changed.push({ reference, ...current })
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

/**
 * Whether the change was already made: it is the only one since this version, and by the same
 * owner.
 */
async function isDone(
  transaction: Database,
  name: ChangeName,
  { reference, version, who, ...wanted }: Change & Wanted,
) {
  const lead = await getLead(transaction, reference)
  const last = await lastChange(transaction, lead.id)
  if (lead.version !== version + 1 || last?.who !== who) return false
  // What the change doesn't set is the same.
  const { state = lead.state, result = lead.result, at = lead.follow_up_at } = wanted
  const isSet = state === lead.state && result === lead.result && inUtc(at) === lead.follow_up_at
  // Another note, such as one that was typed on another device, must not count as stored.
  const note = wanted.note ?? wanted.answered?.note ?? ''
  return isSet && changes[name].events.includes(last.what) && (last.text ?? '').endsWith(note)
}
