import { useNow } from '../data/timers.ts'
import { dayAtOffice, opening, workday } from '../words/times.ts'
import { TimeSheet } from './time-sheet.tsx'

const shortcuts = [
  [1, 'Next workday'],
  [3, 'In 3 days'],
  [7, 'In a week'],
] as const

type Props = { atFirst?: string | null; onChoose: (day: string) => void; onClose: () => void }

/** Asks for a day. Until then, the lead stays out of the open list. */
export function FollowUpSheet({ atFirst, onChoose, onClose }: Props) {
  const now = useNow()
  return (
    <TimeSheet
      title="Follow up"
      choices={shortcuts.map(([days, text]) => [text, opening(workday(now, days)), workday(now, days)])}
      label="Or on"
      type="date"
      defaultValue={atFirst ?? workday(now, 3)}
      min={dayAtOffice(now, 1)}
      max={dayAtOffice(now, 365)}
      verb="Follow up"
      onChoose={onChoose}
      onClose={onClose}
    >
      <p>Until that day, it is in the list “Later”. That morning, it is back at the top of the open list.</p>
    </TimeSheet>
  )
}
