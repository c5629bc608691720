import { useMutation, useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { placeholders, type SavedReply, savedReplies, unknownIn } from '#shared/inbox/saved-replies.ts'
import { Button, WorkingButton } from '../../ui/button.tsx'
import { TextField } from '../../ui/field.tsx'
import { callApi } from '../data/api.ts'
import { keys, queryClient, repliesQuery } from '../data/queries.ts'
import { useNotify } from '../frame/notices.tsx'
import { passFocusOn } from '../ui/focus.ts'
import { Sheet } from '../ui/sheet.tsx'

const known = placeholders.map((name) => `{${name}}`).join(', ')

/** Lists the saved replies, each with a button to change it. */
export function RepliesSection() {
  const { data } = useQuery(repliesQuery)
  /** The reply that is being changed; null for a new one. */
  const [edited, setEdited] = useState<SavedReply | null>()
  return (
    <section className="stack" aria-busy={!data}>
      <h2>Saved replies</h2>
      <p>In an answer, choose one above the text, or type / in an empty line.</p>
      <ul className="lines">
        {data?.replies.map((reply, index) => (
          <li key={index} ref={passFocusOn} className="between">
            <div>
              <strong dir="auto">{reply.name}</strong>
              <p className="muted" dir="auto">
                {reply.text.replace(/\s+/g, ' ').replace(/^(.{80}).+/, '$1…')}
              </p>
            </div>
            <button type="button" aria-label={`Change ${reply.name}`} onClick={() => setEdited(reply)}>
              Change
            </button>
          </li>
        ))}
      </ul>
      <p>
        <Button kind="plain" disabled={!data} onClick={() => setEdited(null)}>
          Add a reply
        </Button>
      </p>
      {edited !== undefined && <EditSheet before={edited} onClose={() => setEdited(undefined)} />}
    </section>
  )
}

async function put(change: Record<'before' | 'after', SavedReply | null>) {
  const saved = await callApi('/replies', savedReplies, { method: 'PUT', body: change })
  queryClient.setQueryData(repliesQuery.queryKey, saved)
  return saved
}

/** A reply that is not saved yet. `textBefore`: that of the stored one that is changed. */
type Typed = SavedReply & { textBefore: string }

type Props = { before: SavedReply | null; onClose: () => void }

/** Changes, adds or deletes a reply. What is typed stays even if the sheet is closed. */
function EditSheet({ before, onClose }: Props) {
  const { name: nameBefore = '', text: textBefore = '' } = before ?? {}
  const key = keys.typed('saved', nameBefore)
  const stored = { name: nameBefore, text: textBefore, textBefore }
  const [typed, setTyped] = useState(() => {
    const kept = queryClient.getQueryData<Typed>(key)
    // Another owner may have changed the reply since.
    return kept?.textBefore === textBefore ? kept : stored
  })
  const { name, text } = typed
  const type = (change: Partial<Typed>) => {
    setTyped({ ...typed, ...change })
    queryClient.setQueryData<Typed>(key, { ...typed, ...change })
  }
  const notify = useNotify()
  const restore = useMutation({
    mutationFn: (deleted: SavedReply) => put({ before: null, after: deleted }),
    onSuccess: () => notify({ kind: 'done', text: 'Reply restored.' }),
    onError: ({ message }, deleted) => {
      const retry = () => restore.mutate(deleted)
      notify({ kind: 'failed', text: `The reply was not restored. ${message}`, retry })
    },
  })
  const { mutate, isPending, error } = useMutation({
    mutationFn: (after: SavedReply | null) => put({ before, after }),
    onSuccess: ({ replies }, after) => {
      queryClient.removeQueries({ queryKey: key })
      onClose()
      if (after || !before) return notify({ kind: 'done', text: 'Reply saved.' })
      if (replies.some(({ name }) => name === before.name))
        return notify({ kind: 'done', text: 'Another owner has changed this reply, so it stays.' })
      notify({ kind: 'done', text: 'Reply deleted.', undo: () => restore.mutate(before) })
    },
  })
  const unknown = unknownIn(text).join(', ')
  const mistake = unknown && `There is no ${unknown}.`
  const submit = (event: FormEvent) => {
    event.preventDefault()
    mutate({ name, text })
  }
  return (
    <Sheet title={before ? `Change ${before.name}` : 'Add a reply'} onClose={onClose} isTall>
      <form className="stack form" onSubmit={submit}>
        <TextField
          id="reply-name"
          label="Name"
          error={error?.message}
          value={name}
          maxLength={60}
          required
          autoComplete="off"
          data-first
          onChange={({ target }) => type({ name: target.value })}
        />
        <TextField
          as="textarea"
          id="reply-text"
          label="Text"
          hint={`may contain ${known}; {quote date fr} is in French`}
          error={mistake}
          isQuiet
          rows={10}
          value={text}
          required
          dir="auto"
          onChange={({ target }) => type({ text: target.value })}
        />
        <Button type="submit" isWorking={isPending} disabled={mistake !== ''}>
          {isPending ? 'Saving…' : 'Save'}
        </Button>
        {before && (
          <WorkingButton isWorking={isPending} onClick={() => mutate(null)}>
            Delete
          </WorkingButton>
        )}
      </form>
    </Sheet>
  )
}
