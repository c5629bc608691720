import { type FormEvent, useContext, useState } from 'react'
import { useNavigate } from 'react-router-dom'
import { inboxPath } from '#shared/inbox/api.ts'
import type { LeadDetail } from '#shared/inbox/lead.ts'
import { Button } from '../../ui/button.tsx'
import { describeField, Field } from '../../ui/field.tsx'
import { useErase } from '../data/changes.ts'
import { useNotify } from '../frame/notices.ts'
import { useFresh } from '../frame/use-fresh.ts'
import { Sheet } from '../ui/sheet.tsx'
import { ShowRemains } from './remains-sheet.tsx'
import styles from './sheets.module.css'

type Props = { lead: LeadDetail; onClose: () => void }

/** Erasing is the only change that can't be undone, so the owner must type the address. */
export function EraseSheet({ lead, onClose }: Props) {
  const [typed, setTyped] = useState('')
  const [mistake, setMistake] = useState<string>()
  const erase = useErase(lead.reference)
  const notify = useNotify()
  const navigate = useNavigate()
  const showRemains = useContext(ShowRemains)
  const fresh = useFresh()

  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (typed.trim().toLowerCase() !== lead.email.toLowerCase())
      return setMistake(`To erase this person, type ${lead.email}.`)
    setMistake(undefined)
    if (!(await fresh('To erase a person, please sign in again.'))) return
    const remains = await erase.run(typed.trim())
    if (!remains) return
    onClose()
    navigate(inboxPath)
    if (remains.files.length + remains.newer.length > 0) showRemains({ ...remains, email: lead.email })
    else notify({ kind: 'done', text: `${lead.name} has been erased.` })
  }
  const error = mistake ?? erase.error?.message
  return (
    <Sheet title="Erase this person" onClose={onClose}>
      <p>
        All requests from {lead.email}, with notes and answers, are erased for good. Emails in your own
        mailbox stay.
      </p>
      <form className={styles.form} onSubmit={submit} noValidate>
        <Field id="erase" label="Type the person’s address" error={error}>
          <input
            id="erase"
            data-first
            type="email"
            value={typed}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            {...describeField('erase', { error })}
            onChange={(event) => setTyped(event.target.value)}
          />
        </Field>
        <Button type="submit" disabled={erase.isRunning}>
          {erase.isRunning ? 'Erasing…' : 'Erase for good'}
        </Button>
      </form>
    </Sheet>
  )
}
