import { type FormEvent, useState } from 'react'
import type { LeadDetail } from '#shared/inbox/lead.ts'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/field.tsx'
import { Sheet } from '../ui/sheet.tsx'
import { useNow } from '../ui/timers.ts'
import { day, officeDay } from '../words/times.ts'
import styles from './sheets.module.css'
import { useChange } from './use-change.ts'

const shortcuts = [
  [1, 'Tomorrow'],
  [3, 'In 3 days'],
  [7, 'In a week'],
] as const

type Props = { lead: LeadDetail; onClose: () => void }

/** Asks for a day. Until then, the lead stays out of the open list. */
export function FollowUpSheet({ lead, onClose }: Props) {
  const now = useNow()
  const change = useChange(lead)
  const [date, setDate] = useState(lead.followUpOn ?? officeDay(now, 3))
  const follow = (on: string) => {
    change({ followUpOn: on })
    onClose()
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    follow(date)
  }
  return (
    <Sheet title="Follow up" onClose={onClose}>
      <p>This request stays out of the open list until that day, then returns to the top.</p>
      <div className={styles.choices}>
        {shortcuts.map(([days, text]) => (
          <button key={days} type="button" onClick={() => follow(officeDay(now, days))}>
            {text} <span>{day(officeDay(now, days))}</span>
          </button>
        ))}
      </div>
      <form className={styles.form} onSubmit={submit}>
        <Field id="follow-up" label="Or on">
          <input
            id="follow-up"
            type="date"
            value={date}
            min={officeDay(now, 1)}
            max={officeDay(now, 365)}
            required
            onChange={(event) => setDate(event.target.value)}
          />
        </Field>
        <Button type="submit">Follow up</Button>
      </form>
    </Sheet>
  )
}
