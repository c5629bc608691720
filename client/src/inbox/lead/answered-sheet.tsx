import { useState } from 'react'
import type { LeadDetail } from '#shared/inbox/lead.ts'
import { useNow } from '../data/timers.ts'
import { answerTimes, inputTime, moment } from '../words/times.ts'
import { TimeSheet } from './time-sheet.tsx'
import { useChange } from './use-change.ts'

/** `isCalled`: the owner has just pressed "Call". */
type Props = { lead: LeadDetail; isCalled: boolean; onClose: () => void }

/**
 * Asks when and how an owner has answered outside the inbox, because
 * the press on the button is often much later.
 */
export function AnsweredSheet({ lead, isCalled, onClose }: Props) {
  const now = useNow()
  const change = useChange(lead)
  const [isCall, setIsCall] = useState(isCalled)
  const answered = (time: string) =>
    change({
      state: 'answered',
      answered: { at: new Date(time).toISOString(), by: isCall ? 'phone' : 'email' },
    })
  return (
    <TimeSheet
      title={isCalled ? `Did you reach ${lead.name}?` : 'When did you answer?'}
      choices={answerTimes(lead.receivedAt, now).map(({ words, at }) => [
        words,
        words === 'Now' ? '' : moment(at, now),
        at,
      ])}
      label="Or at"
      type="datetime-local"
      defaultValue={inputTime(now)}
      min={inputTime(Date.parse(lead.receivedAt))}
      max={inputTime(now)}
      verb="Save"
      onChoose={answered}
      onClose={onClose}
    >
      <label className="touch">
        <input type="checkbox" checked={isCall} onChange={({ target }) => setIsCall(target.checked)} />
        <span>By phone</span>
      </label>
    </TimeSheet>
  )
}
