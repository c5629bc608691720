import { type FormEvent, useState } from 'react'
import { type LeadDetail, MAX_NOTE } from '#shared/inbox/lead.ts'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/field.tsx'
import { useAddNote } from '../data/changes.ts'
import { Sheet } from '../ui/sheet.tsx'
import styles from './sheets.module.css'

type Props = { lead: LeadDetail; onClose: () => void }

export function NoteSheet({ lead, onClose }: Props) {
  const [text, setText] = useState('')
  const note = useAddNote(lead.reference)
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (await note.run(text)) onClose()
  }
  return (
    <Sheet title="Add a note" onClose={onClose}>
      <form className={styles.form} onSubmit={submit}>
        <Field id="note" label="Note" hint="only owners see it" error={note.error?.message}>
          <textarea
            id="note"
            data-first
            value={text}
            maxLength={MAX_NOTE}
            required
            onChange={(event) => setText(event.target.value)}
          />
        </Field>
        <Button type="submit" disabled={note.isRunning}>
          {note.isRunning ? 'Saving…' : 'Save the note'}
        </Button>
      </form>
    </Sheet>
  )
}
