import { useState } from 'react'
import type { LeadDetail } from '#shared/inbox/lead.ts'
import { useNow } from '../data/timers.ts'
import { Sheet } from '../ui/sheet.tsx'
import { inputTime } from '../words/times.ts'
import { answerTimes } from '../words/usual-times.ts'
import { NewsWhileOpen } from './news-while-open.tsx'
import { TimeChoices } from './time-choices.tsx'
import { useChange } from './use-change.ts'

type Props = { lead: LeadDetail; onClose: () => void }

/**
 * Asks when and how an owner has answered outside the inbox, because
 * the press on the button is often much later.
 */
export function AnsweredSheet({ lead, onClose }: Props) {
  const now = useNow()
  const change = useChange(lead)
  const [isCall, setIsCall] = useState(false)
  const answered = (at: string) => {
    onClose()
    change({ state: 'answered', answered: { at, by: isCall ? 'phone' : 'email' } })
  }
  return (
    <Sheet title="When did you answer?" onClose={onClose}>
      <NewsWhileOpen lead={lead} />
      <label className="touch">
        <input type="checkbox" checked={isCall} onChange={({ target }) => setIsCall(target.checked)} />
        <span>By phone</span>
      </label>
      <TimeChoices
        choices={answerTimes(lead.receivedAt, now)}
        defaultValue={inputTime(now)}
        min={inputTime(Date.parse(lead.receivedAt))}
        max={inputTime(now)}
        verb="Save"
        onChoose={answered}
      />
    </Sheet>
  )
}
