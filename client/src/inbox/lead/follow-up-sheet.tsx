import type { LeadDetail, LeadRow } from '#shared/inbox/lead.ts'
import { useNow } from '../data/timers.ts'
import { Sheet } from '../ui/sheet.tsx'
import { isWaiting } from '../words/row-words.ts'
import { inputTime, moment } from '../words/times.ts'
import { followUpTimes } from '../words/usual-times.ts'
import { NewsWhileOpen } from './news-while-open.tsx'
import { TimeChoices } from './time-choices.tsx'

const HOUR_MS = 3_600_000
const YEAR_MS = 365 * 24 * HOUR_MS

/** `lead`: the only one that gets a follow-up, if it is only one. */
type Props = {
  lead: LeadRow | LeadDetail | undefined
  onChoose: (at: string) => void
  onClose: () => void
}

/** Asks for a time. Until then, the lead stays out of the open list. */
export function FollowUpSheet({ lead, onChoose, onClose }: Props) {
  return (
    <Sheet title="Follow up" onClose={onClose}>
      {lead && 'events' in lead && <NewsWhileOpen lead={lead} />}
      <p>{`Until then, ${lead ? 'it waits' : 'they wait'} in “Later”.`}</p>
      {lead && <PromiseStays lead={lead} />}
      <FollowUpTimes
        lead={lead}
        onChoose={(at) => {
          onClose()
          onChoose(at)
        }}
      />
    </Sheet>
  )
}

/** The usual times of a follow-up, or any other. */
export function FollowUpTimes({ lead, onChoose }: Pick<Props, 'lead' | 'onChoose'>) {
  const now = useNow()
  const nextHour = (Math.floor(now / HOUR_MS) + 1) * HOUR_MS
  return (
    <TimeChoices
      choices={followUpTimes(now)}
      defaultValue={inputTime(lead?.followUpAt ? Date.parse(lead.followUpAt) : nextHour)}
      min={inputTime(now)}
      max={inputTime(now + YEAR_MS)}
      verb="Follow up"
      onChoose={onChoose}
    />
  )
}

/** Says what becomes of the promise of a lead that waits for a reply, if it gets a follow-up. */
export function PromiseStays({ lead }: { lead: LeadRow }) {
  const now = useNow()
  if (!isWaiting(lead)) return null
  const verb = Date.parse(lead.dueAt) < now ? 'was' : 'is'
  return (
    <p className="muted">
      <span>{`The reply ${verb} promised by ${moment(lead.dueAt, now)}.`}</span> That stays so, but nothing
      reminds you before the follow-up.
    </p>
  )
}
