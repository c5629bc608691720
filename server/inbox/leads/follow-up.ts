import type { LeadStatus } from '#shared/inbox/lead.ts'
import { officeDay } from '../../leads/office-time.ts'
import { Problem } from '../../problem.ts'
import { type Change, type ChangeDeps, changeLead } from './change-lead.ts'
import { conflict } from './conflict.ts'

// Without this limit, a typo in the year would hide the lead for many years.
const MAX_DAYS = 366

/**
 * Hides a lead until the day `on` ("2026-03-02"). On that day, the lead returns to the top of the list. Null removes
 * the follow-up. Throws a Problem: `conflict` if the lead has changed, or if it is neither open nor answered;
 * `invalid_input` for a day that is not within the next year.
 */
export const followUp = (
  deps: ChangeDeps,
  { on, ...change }: Change & { on: string | null },
): Promise<LeadStatus> =>
  changeLead(deps, change, (lead, at) => {
    if (lead.state !== 'open' && lead.state !== 'answered')
      throw conflict(lead, `This lead is marked as ${lead.state}: there is nothing to follow up on.`)
    assertSoon(on, at)
    return {
      set: { follow_up_on: on },
      event: { what: 'follow_up', from_value: lead.follow_up_on, to_value: on },
    }
  })

function assertSoon(on: string | null, now: Date) {
  const lastDay = officeDay(new Date(now.getTime() + MAX_DAYS * 24 * 60 * 60 * 1000))
  if (on === null || (on > officeDay(now) && on <= lastDay)) return
  const message = 'Please choose a day between tomorrow and a year from now.'
  throw new Problem('invalid_input', message, { errors: [{ field: 'on', message }] })
}
