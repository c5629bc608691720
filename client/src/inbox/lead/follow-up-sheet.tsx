import type { LeadRow } from '#shared/inbox/lead.ts'
import { useNow } from '../data/timers.ts'
import { Sheet } from '../ui/sheet.tsx'
import { followUpTimes, inputTime, moment } from '../words/times.ts'
import { TimeChoices } from './time-choices.tsx'

const YEAR_MS = 365 * 24 * 3_600_000

/** `lead`: the only one that gets a follow-up, if it is only one. */
type Props = { lead: LeadRow | undefined; onChoose: (at: string) => void; onClose: () => void }

/** Asks for a time. Until then, the lead stays out of the open list. */
export function FollowUpSheet({ lead, onChoose, onClose }: Props) {
  const now = useNow()
  const choices = followUpTimes(now)
  const usual = choices.at(-2)?.at ?? ''
  return (
    <Sheet title="Follow up" onClose={onClose}>
      <p>Until then, it waits in “Later”.</p>
      {lead && <PromiseStays lead={lead} />}
      <TimeChoices
        choices={choices}
        label="Or at"
        defaultValue={inputTime(Date.parse(lead?.followUpAt ?? usual))}
        min={inputTime(now)}
        max={inputTime(now + YEAR_MS)}
        verb="Follow up"
        onChoose={(at) => {
          onClose()
          onChoose(at)
        }}
      />
    </Sheet>
  )
}

/** Says what becomes of the promise of a lead that waits for a reply, if it gets a follow-up. */
export function PromiseStays({ lead }: { lead: LeadRow }) {
  const now = useNow()
  if (lead.state !== 'open' || lead.isSuspect) return null
  const verb = Date.parse(lead.dueAt) < now ? 'was' : 'is'
  return (
    <p className="muted">
      The reply {verb} promised by {moment(lead.dueAt, now)}. A follow-up doesn't change that, but you get no
      reminder before it.
    </p>
  )
}
