import { skipToken, useMutation, useQuery } from '@tanstack/react-query'
import type { ComponentProps, FormEvent } from 'react'
import { v4 as randomUuid } from 'uuid'
import { type LeadDetail, leadStatus, MAX_NOTE } from '#shared/inbox/lead.ts'
import { Button } from '../../ui/button.tsx'
import { Field, TextField } from '../../ui/field.tsx'
import { post } from '../data/api.ts'
import { isWorthRetrying, keys, pathOf, queryClient, refresh } from '../data/queries.ts'
import { useNow } from '../data/timers.ts'
import { useNotify } from '../frame/notices.tsx'
import { Sheet } from '../ui/sheet.tsx'
import { TypedText } from '../ui/typed-text.tsx'
import { dayAtOffice, opening, workday } from '../words/times.ts'
import styles from './sheets.module.css'
import { useChange } from './use-change.ts'

/** The server stores only one note for each key. */
type Note = { text: string; key: string }

type Props = { lead: LeadDetail; onClose: () => void }

/** A note that is kept while the page is open until it is saved, and functions that keep and save it. */
export function useNote({ reference, name }: Pick<LeadDetail, 'reference' | 'name'>) {
  const notify = useNotify()
  const about = { reference, name }
  const typed = keys.typed('note', reference)
  const note = useQuery<Note>({ queryKey: typed, queryFn: skipToken }).data
  const keep = (text: string) => queryClient.setQueryData<Note>(typed, { text, key: randomUuid() })
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
  })
  const saveLatest = (onSuccess: () => void) => {
    // React may not have rendered the latest keystrokes yet.
    const latest = queryClient.getQueryData<Note>(typed)
    if (latest && !save.isPending) save.mutate(latest, { onSuccess })
  }
  return { text: note?.text ?? '', keep, save, saveLatest }
}

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
        <Field id="note" label="Note" hint="only owners see it" error={save.error?.message}>
          <TypedText
            id="note"
            text={text}
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

const shortcuts = [
  [1, 'Next workday'],
  [3, 'In 3 days'],
  [7, 'In a week'],
] as const

/** Asks for a day. Until then, the lead stays out of the open list. */
export function FollowUpSheet({ lead, onClose }: Props) {
  const change = useChange(lead)
  return (
    <DaySheet atFirst={lead.followUpOn} onClose={onClose} onChoose={(followUpOn) => change({ followUpOn })} />
  )
}

type DayProps = { atFirst?: string | null; onChoose: (day: string) => void; onClose: () => void }

export function DaySheet({ atFirst, onChoose, onClose }: DayProps) {
  const now = useNow()
  return (
    <TimeSheet
      title="Follow up"
      choices={shortcuts.map(([days, text]) => [text, opening(workday(now, days)), workday(now, days)])}
      label="Or on"
      type="date"
      defaultValue={atFirst ?? workday(now, 3)}
      min={dayAtOffice(now, 1)}
      max={dayAtOffice(now, 365)}
      verb="Follow up"
      onChoose={onChoose}
      onClose={onClose}
    >
      <p>Until that day, it is in the list “Later”. That morning, it is back at the top of the open list.</p>
    </TimeSheet>
  )
}

type TimeProps = ComponentProps<'input'> & {
  title: string
  /** The words on each button, what stands beside them, and the time. */
  choices: [string, string, string][]
  label: string
  /** What the button beside the input says. */
  verb: string
  onChoose: (time: string) => void
  onClose: () => void
}

/** Asks for a time: the usual ones, or any other. */
export function TimeSheet({ title, choices, label, verb, onChoose, onClose, children, ...input }: TimeProps) {
  const choose = (time: string) => {
    onClose()
    onChoose(time)
  }
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    choose(String(new FormData(event.currentTarget).get('time')))
  }
  return (
    <Sheet title={title} onClose={onClose}>
      {children}
      <div className={`stack ${styles.choices}`}>
        {choices.map(([words, more, time]) => (
          <button key={words} type="button" onClick={() => choose(time)}>
            {words} <span>{more}</span>
          </button>
        ))}
      </div>
      <form className="stack form" onSubmit={submit}>
        <TextField {...input} id="time" name="time" label={label} required />
        <Button type="submit">{verb}</Button>
      </form>
    </Sheet>
  )
}
