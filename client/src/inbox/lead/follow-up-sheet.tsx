import { useNow } from '../data/timers.ts'
import { inputTime, moment, opening, workday } from '../words/times.ts'
import { TimeSheet } from './time-sheet.tsx'

const shortcuts = [
  [1, 'Next workday'],
  [3, 'In 3 days'],
  [7, 'In a week'],
] as const

type Props = { onChoose: (day: string) => void; onClose: () => void }

/** Asks for a day. Until then, the lead stays out of the open list. */
export function FollowUpSheet({ onChoose, onClose }: Props) {
  const now = useNow()
  return (
    <TimeSheet
      title="Follow up"
      choices={shortcuts.map(([days, text]) => [
        text,
        moment(opening(workday(now, days)), now),
        opening(workday(now, days)),
      ])}
      label="Or on"
      type="datetime-local"
      defaultValue={inputTime(Date.parse(opening(workday(now, 3))))}
      min={inputTime(now)}
      max={inputTime(now + 365 * 24 * 3_600_000)}
      verb="Follow up"
      onChoose={(time) => onChoose(new Date(time).toISOString())}
      onClose={onClose}
    >
      <p>Until then, it is in the list “Later”. Then it is back at the top of the open list.</p>
    </TimeSheet>
  )
}
