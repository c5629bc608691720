import { type FormEvent, useEffect, useRef, useState } from 'react'
import { english } from '#shared/computed-facts.ts'
import type { LeadDetail } from '#shared/inbox/lead.ts'
import { BACKUP_DAYS } from '#shared/pages.ts'
import { Button } from '../../ui/button.tsx'
import { describeField, Field } from '../../ui/field.tsx'
import { erasePerson, type Remains } from '../data/changes.ts'
import { useAction } from '../data/use-action.ts'
import { useNotify } from '../frame/notices.ts'
import { useFresh } from '../frame/use-fresh.ts'
import { Sheet } from '../ui/sheet.tsx'
import styles from './sheets.module.css'

type Props = {
  lead: LeadDetail
  onClose: () => void
  /** Called after the erasure, even if the owner has already closed the sheet. */
  onEnd: (lead: LeadDetail, remains: Remains) => void
}

const DAY_MS = 24 * 60 * 60 * 1000
const backupsEnd = () =>
  new Date(Date.now() + BACKUP_DAYS * DAY_MS).toLocaleDateString(english, { dateStyle: 'long' })

/** Erasing can't be undone, so the owner must confirm it by typing the person's email address. */
export function EraseSheet({ lead, onClose, onEnd }: Props) {
  const [typed, setTyped] = useState('')
  const [mistake, setMistake] = useState<string>()
  const notify = useNotify()
  const fresh = useFresh()
  const isShown = useIsShown()
  const erase = useAction((email: string) =>
    erasePerson(lead.reference, email).catch((error: Error) => {
      if (!isShown.current) notify({ kind: 'failed', text: `${lead.name}: ${error.message}` })
      throw error
    }),
  )

  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (typed.trim().toLowerCase() !== lead.email.toLowerCase())
      return setMistake(`To erase this person, type ${lead.email}.`)
    setMistake(undefined)
    if (!(await fresh('To erase a person, please sign in again.'))) return
    const remains = await erase.run(typed.trim())
    if (!remains) return
    if (isShown.current) onClose()
    onEnd(lead, remains)
  }
  const error = mistake ?? erase.error?.message
  return (
    <Sheet title="Erase this person" onClose={onClose}>
      <p>
        All requests from {lead.email}, with notes and answers, are erased for good. Emails in your own
        mailbox stay. Backups can contain them until {backupsEnd()}; a restore erases them again.
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

/** False once the owner has closed the sheet. */
function useIsShown() {
  const isShown = useRef(false)
  useEffect(() => {
    isShown.current = true
    return () => {
      isShown.current = false
    }
  }, [])
  return isShown
}
