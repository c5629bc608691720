import { useMutation, useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { placeholders, type SavedReplies, savedReplies, unknownIn } from '#shared/inbox/saved-replies.ts'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/field.tsx'
import { callApi } from '../data/api.ts'
import { queryClient, repliesQuery } from '../data/queries.ts'
import { useNotify } from '../frame/notices.tsx'
import { Sheet } from '../ui/sheet.tsx'

const known = placeholders.map((name) => `{${name}}`).join(', ')

/** Lists the saved replies, each with a button to change it. */
export function RepliesSection() {
  const { data } = useQuery(repliesQuery)
  const [edited, setEdited] = useState<number>()
  return (
    <section className="stack" aria-busy={!data}>
      <h2>Saved replies</h2>
      <p>In an answer, choose one above the text, or type / in an empty line.</p>
      <ul className="lines">
        {data?.replies.map(({ name, text }, index) => (
          <li key={index} className="between">
            <div>
              <strong dir="auto">{name}</strong>
              <p className="muted" dir="auto">
                {text.replace(/\s+/g, ' ').slice(0, 80)}
              </p>
            </div>
            <button type="button" aria-label={`Change ${name}`} onClick={() => setEdited(index)}>
              Change
            </button>
          </li>
        ))}
      </ul>
      <p>
        <Button kind="plain" disabled={!data} onClick={() => setEdited(data?.replies.length)}>
          Add a reply
        </Button>
      </p>
      {data && edited !== undefined && (
        <EditSheet all={data} index={edited} onClose={() => setEdited(undefined)} />
      )}
    </section>
  )
}

type Props = { all: SavedReplies; index: number; onClose: () => void }

/** Changes, adds or deletes a reply. */
function EditSheet({ all, index, onClose }: Props) {
  const [atFirst] = useState(all.replies[index])
  const [name, setName] = useState(atFirst?.name ?? '')
  const [text, setText] = useState(atFirst?.text ?? '')
  const notify = useNotify()
  const { mutate, isPending, error } = useMutation({
    mutationFn: (body: SavedReplies) => callApi('/replies', savedReplies, { method: 'PUT', body }),
    onSuccess: (saved) => queryClient.setQueryData(repliesQuery.queryKey, saved),
    // Refused if another owner has changed them since.
    onError: () => queryClient.invalidateQueries(repliesQuery),
  })
  const unknown = unknownIn(text)
  const save = (instead: SavedReplies['replies'], done: string) => {
    const { version, replies } = all
    const found = replies.findIndex((one) => one.name === atFirst?.name && one.text === atFirst.text)
    // If another owner has changed this reply since, both stay.
    const at = found < 0 ? replies.length : found
    mutate(
      { version, replies: [...replies.slice(0, at), ...instead, ...replies.slice(at + 1)] },
      {
        onSuccess: () => {
          notify({ kind: 'done', text: done })
          onClose()
        },
      },
    )
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    save([{ name, text }], 'Reply saved.')
  }
  return (
    <Sheet title={atFirst ? `Change ${atFirst.name}` : 'Add a reply'} onClose={onClose} isTall>
      <form className="stack form" onSubmit={submit}>
        <Field id="reply-name" label="Name" error={error?.message}>
          <input
            id="reply-name"
            value={name}
            maxLength={60}
            required
            autoComplete="off"
            data-first
            onChange={({ target }) => setName(target.value)}
          />
        </Field>
        <Field
          id="reply-text"
          label="Text"
          hint={`may contain ${known}`}
          error={unknown.length > 0 ? `There is no ${unknown.join(', ')}.` : undefined}
        >
          <textarea
            id="reply-text"
            rows={10}
            value={text}
            required
            dir="auto"
            onChange={({ target }) => setText(target.value)}
          />
        </Field>
        <Button type="submit" disabled={isPending || unknown.length > 0}>
          {isPending ? 'Saving…' : 'Save'}
        </Button>
        {atFirst && (
          <button type="button" disabled={isPending} onClick={() => save([], 'Reply deleted.')}>
            Delete
          </button>
        )}
      </form>
    </Sheet>
  )
}
