import { type FormEvent, useSyncExternalStore } from 'react'
import { type LeadDetail, MAX_NOTE } from '#shared/inbox/lead.ts'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/field.tsx'
import { ApiError } from '../data/api.ts'
import { noteOf, type SavedNote, saveNote, undoNote } from '../data/notes.ts'
import { useAction } from '../data/use-action.ts'
import { type Notify, useNotify } from '../frame/notices.ts'
import { Sheet } from '../ui/sheet.tsx'
import styles from './sheets.module.css'

type Props = { lead: LeadDetail; onClose: () => void }

export function NoteSheet({ lead: { reference }, onClose }: Props) {
  const unsaved = noteOf(reference)
  const text = useSyncExternalStore(unsaved.subscribe, unsaved.get)
  const note = useAction<void, SavedNote>(() => saveNote(reference))
  const notify = useNotify()
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    const saved = await note.run()
    if (!saved) return
    notify({ kind: 'done', text: 'Note saved.', undo: () => undo(reference, saved, notify) })
    onClose()
  }
  return (
    <Sheet title="Add a note" onClose={onClose}>
      <form className={styles.form} onSubmit={submit}>
        <Field id="note" label="Note" hint="only owners see it" error={note.error?.message}>
          <textarea
            id="note"
            dir="auto"
            data-first
            value={text}
            maxLength={MAX_NOTE}
            required
            onChange={(event) => unsaved.set(event.target.value)}
          />
        </Field>
        <Button type="submit" disabled={note.isRunning}>
          {note.isRunning ? 'Saving…' : 'Save the note'}
        </Button>
      </form>
    </Sheet>
  )
}

async function undo(reference: string, note: SavedNote, notify: Notify): Promise<void> {
  try {
    await undoNote(reference, note)
    notify({ kind: 'done', text: 'Undone. The text is in “Add a note” again.' })
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    const text = `The note couldn't be undone. ${error.message}`
    notify(
      error.isTransient
        ? { kind: 'done', text, undo: () => undo(reference, note, notify) }
        : { kind: 'failed', text },
    )
  }
}
