import { skipToken, useMutation, useQuery } from '@tanstack/react-query'
import type { FormEvent } from 'react'
import { v4 as randomUuid } from 'uuid'
import { type LeadDetail, MAX_NOTE } from '#shared/inbox/lead.ts'
import { leadStatus } from '#shared/inbox/lead-changes.ts'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/field.tsx'
import { post } from '../data/api.ts'
import { isWorthRetrying, keys, pathOf, queryClient, refresh } from '../data/queries.ts'
import { useNotify, useNotifyOnceClosed } from '../frame/notices.tsx'
import { Sheet } from '../ui/sheet.tsx'
import { submitOnModifier, TypedText } from '../ui/typed-text.tsx'

/** The server stores only one note for each key. */
type Note = { text: string; key: string }

/** Keeps what is typed as a note. */
const keepNote = (reference: string, text: string) =>
  queryClient.setQueryData<Note>(keys.typed('note', reference), { text, key: randomUuid() })

/** Empties what is typed as a note if it was stored, alone or at the end of a longer note. */
export function forgetNote(reference: string, stored: string): void {
  const typed = queryClient.getQueryData<Note>(keys.typed('note', reference))?.text.trim()
  if (typed && stored.endsWith(typed)) keepNote(reference, '')
}

/**
 * A note that is kept while the page is open until it is saved, and
 * functions that keep and save it.
 */
export function useNote(about: Pick<LeadDetail, 'reference' | 'name'>) {
  const { reference } = about
  const notify = useNotify()
  const notifyOnceClosed = useNotifyOnceClosed()
  const typed = keys.typed('note', reference)
  const note = useQuery<Note>({ queryKey: typed, queryFn: skipToken }).data
  const keep = (text: string) => keepNote(reference, text)
  const path = `${pathOf(reference)}/notes`
  const options = { scope: { id: reference }, retry: isWorthRetrying, onSettled: () => void refresh() }
  const undo = useMutation({
    ...options,
    mutationFn: ({ key }: Note) => post(`${path}/${key}/undo`, leadStatus),
    onSuccess: (_status, { text }) => {
      const newer = queryClient.getQueryData<Note>(typed)?.text
      keep(newer ? `${text}\n\n${newer}` : text)
      notify({ kind: 'done', about, text: 'undone. The text is in “Add a note” again.' })
    },
    onError: ({ message, isTransient }, undone) => {
      const retry = isTransient ? () => undo.mutate(undone) : undefined
      notify({ kind: 'failed', about, text: `the note couldn't be undone. ${message}`, retry })
    },
  })
  const save = useMutation({
    ...options,
    mutationFn: (saved: Note) => post(path, leadStatus, saved),
    onSuccess: (_status, saved) => {
      if (queryClient.getQueryData<Note>(typed)?.key === saved.key) keep('')
      notify({ kind: 'done', about, text: 'note saved.', undo: () => undo.mutate(saved) })
    },
    onError: ({ message }) =>
      notifyOnceClosed({ kind: 'failed', about, text: `the note was not saved. ${message}` }),
  })
  const saveLatest = (onSuccess: () => void) => {
    // React may not have rendered the latest keystrokes yet.
    const latest = queryClient.getQueryData<Note>(typed)
    if (latest && !save.isPending) save.mutate(latest, { onSuccess })
  }
  return { text: note?.text ?? '', keep, save, saveLatest }
}

type Props = { lead: LeadDetail; onClose: () => void }

/** Adds a note. Its text stays even if the sheet is closed. */
export function NoteSheet({ lead, onClose }: Props) {
  const { text, keep, save, saveLatest } = useNote(lead)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    saveLatest(onClose)
  }
  return (
    <Sheet title="Add a note" onClose={onClose}>
      <form className="stack form" onSubmit={submit}>
        <TextField
          as={TypedText}
          id="note"
          label="Note"
          hint="only owners see it"
          error={save.error?.message}
          text={text}
          maxLength={MAX_NOTE}
          onInput={(event) => keep(event.currentTarget.value)}
          onKeyDown={submitOnModifier}
        />
        <Button type="submit" isWorking={save.isPending}>
          {save.isPending ? 'Saving…' : 'Save the note'}
        </Button>
      </form>
    </Sheet>
  )
}
