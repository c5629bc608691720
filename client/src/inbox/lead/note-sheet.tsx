import { skipToken, useMutation, useQuery } from '@tanstack/react-query'
import type { FormEvent } from 'react'
import { v4 as randomUuid } from 'uuid'
import { type LeadDetail, leadStatus, MAX_NOTE } from '#shared/inbox/lead.ts'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/field.tsx'
import { callApi } from '../data/api.ts'
import { pathOf } from '../data/queries.ts'
import { isWorthRetrying, keys, queryClient, refresh } from '../data/query-client.ts'
import { useNotify } from '../frame/notices.tsx'
import { Sheet } from '../ui/sheet.tsx'
import { TypedText } from '../ui/typed-text.tsx'
import styles from './sheets.module.css'

/** The server stores only one note for each key. */
type Note = { text: string; key: string }

type Props = { lead: LeadDetail; onClose: () => void }

/** Adds a note. Until it is saved, its text is kept while the page is open, even if the sheet is closed. */
export function NoteSheet({ lead: { reference }, onClose }: Props) {
  const notify = useNotify()
  const typed = keys.typed('note', reference)
  const note = useQuery<Note>({ queryKey: typed, queryFn: skipToken }).data
  const keep = (text: string) => queryClient.setQueryData<Note>(typed, { text, key: randomUuid() })
  const post = (path: string, body: object) =>
    callApi(`${pathOf(reference)}/notes${path}`, leadStatus, { method: 'POST', body })
  const options = { scope: { id: reference }, retry: isWorthRetrying, onSettled: () => void refresh() }
  const undo = useMutation({
    ...options,
    mutationFn: ({ key }: Note) => post(`/${key}/undo`, {}),
    onSuccess: (_status, { text }) => {
      const newer = queryClient.getQueryData<Note>(typed)?.text
      keep(newer ? `${text}\n\n${newer}` : text)
      notify({ kind: 'done', text: 'Undone. The text is in “Add a note” again.' })
    },
    onError: ({ message, isTransient }, undone) => {
      const text = `The note couldn't be undone. ${message}`
      notify(isTransient ? { kind: 'done', text, undo: () => undo.mutate(undone) } : { kind: 'failed', text })
    },
  })
  const save = useMutation({
    ...options,
    mutationFn: (saved: Note) => post('', saved),
    onSuccess: (_status, saved) => {
      if (queryClient.getQueryData<Note>(typed)?.key === saved.key) keep('')
      notify({ kind: 'done', text: 'Note saved.', undo: () => undo.mutate(saved) })
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    // React may not have rendered the latest keystrokes yet.
    const latest = queryClient.getQueryData<Note>(typed)
    if (latest && !save.isPending) save.mutate(latest, { onSuccess: onClose })
  }
  return (
    <Sheet title="Add a note" onClose={onClose}>
      <form className={styles.form} onSubmit={submit}>
        <Field id="note" label="Note" hint="only owners see it" error={save.error?.message}>
          <TypedText
            id="note"
            text={note?.text ?? ''}
            maxLength={MAX_NOTE}
            onInput={(event) => keep(event.currentTarget.value)}
          />
        </Field>
        <Button type="submit" disabled={save.isPending}>
          {save.isPending ? 'Saving…' : 'Save the note'}
        </Button>
      </form>
    </Sheet>
  )
}
