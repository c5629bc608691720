import type { LeadStatus } from '#shared/inbox/lead.ts'
import { isSuspect } from '../../leads/spam-score.ts'
import { type Change, type ChangeDeps, changeLead } from './change-lead.ts'
import { conflict } from './conflict.ts'
import { stateBeforeSpam } from './lead-events.ts'
import type { StoredLead } from './lock-lead.ts'

export type Verdict = StoredLead['verdict']

/** Stores whether a lead is spam; null withdraws the verdict. Throws a Problem: `conflict`. */
export const judgeLead = (
  deps: ChangeDeps,
  { verdict, ...change }: Change & { verdict: Verdict },
): Promise<LeadStatus> =>
  changeLead(deps, change, async (lead, _at, transaction) => {
    assertPossible(lead, verdict)
    const events = [{ what: 'verdict', from_value: lead.state, to_value: verdict } as const]
    if (verdict === 'spam') return { set: { verdict, state: 'spam' }, events }
    if (verdict === 'honest') return { set: { verdict, state: 'open' }, events }
    const state = lead.state === 'spam' ? await stateBeforeSpam(transaction, lead.id) : lead.state
    return { set: { verdict, state }, events }
  })

function assertPossible(lead: StoredLead, verdict: Verdict) {
  if (verdict === 'spam' && lead.state === 'spam')
    throw conflict(lead, 'This lead is already marked as spam.')
  if (verdict === 'honest' && lead.state !== 'spam' && !isOpenSuspect(lead))
    throw conflict(lead, 'This lead is not marked as spam.')
  if (verdict === null && lead.verdict === null)
    throw conflict(lead, 'Nobody has said yet whether this lead is spam.')
}

/** Whether a lead looks like spam and no owner has judged it. */
export const isOpenSuspect = ({ state, spam_score, verdict }: StoredLead): boolean =>
  state === 'open' && isSuspect(spam_score) && verdict === null
