import { type FormEvent, useState } from 'react'
import type { LeadDetail } from '#shared/inbox/lead.ts'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/field.tsx'
import { Sheet } from '../ui/sheet.tsx'
import { useNow } from '../ui/timers.ts'
import { answerTimes, inputTime, moment } from '../words/times.ts'
import styles from './sheets.module.css'
import { useChange } from './use-change.ts'

type Props = { lead: LeadDetail; onClose: () => void }

/** Asks when and how an owner has answered outside the inbox, because the press on the button is often much later. */
export function AnsweredSheet({ lead, onClose }: Props) {
  const now = useNow()
  const change = useChange(lead)
  const [isCall, setIsCall] = useState(false)
  const [typed, setTyped] = useState(inputTime(now))
  const answered = (at: string) => {
    change({ state: 'answered', answered: { at, by: isCall ? 'phone' : 'email' } })
    onClose()
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    answered(new Date(typed).toISOString())
  }
  return (
    <Sheet title="When did you answer?" onClose={onClose}>
      <label className="touch">
        <input type="checkbox" checked={isCall} onChange={({ target }) => setIsCall(target.checked)} />
        <span>By phone</span>
      </label>
      <div className={`stack ${styles.choices}`}>
        {answerTimes(lead.receivedAt, now).map(({ words, at }) => (
          <button key={words} type="button" onClick={() => answered(at)}>
            {words} {words !== 'Now' && <span>about {moment(at, now)}</span>}
          </button>
        ))}
      </div>
      <form className="stack form" onSubmit={submit}>
        <Field id="answered-at" label="Or at">
          <input
            id="answered-at"
            type="datetime-local"
            value={typed}
            min={inputTime(Date.parse(lead.receivedAt))}
            max={inputTime(now)}
            required
            onChange={(event) => setTyped(event.target.value)}
          />
        </Field>
        <Button type="submit">Save</Button>
      </form>
    </Sheet>
  )
}
