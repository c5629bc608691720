import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { placeholders, placeholdersIn, type SavedReplies } from '#shared/inbox/saved-replies.ts'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/field.tsx'
import access from '../access/access-page.module.css'
import { useNotify } from '../frame/notices.tsx'
import sheets from '../lead/sheets.module.css'
import { Sheet } from '../ui/sheet.tsx'
import { repliesQuery, useSaveReplies } from './saved-replies.ts'

const known: readonly string[] = placeholders.map((name) => `{${name}}`)

/** Lists the saved replies, each with a button to change it. */
export function RepliesSection() {
  const { data } = useQuery(repliesQuery)
  const [edited, setEdited] = useState<number>()
  return (
    <section className="stack" aria-busy={!data}>
      <h2>Saved replies</h2>
      <p>In an answer, choose one below the text, or type / in an empty line.</p>
      <ul className={access.list}>
        {data?.replies.map(({ name, text }, index) => (
          <li key={index}>
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
  const [atFirst] = useState(all)
  const [name, setName] = useState(atFirst.replies[index]?.name ?? '')
  const [text, setText] = useState(atFirst.replies[index]?.text ?? '')
  const { mutate, isPending, error } = useSaveReplies()
  const notify = useNotify()
  const unknown = placeholdersIn(text).filter((one) => !known.includes(one.toLowerCase()))
  const save = (replies: SavedReplies['replies'], done: string) =>
    mutate(
      { version: atFirst.version, replies },
      {
        onSuccess: () => {
          notify({ kind: 'done', text: done })
          onClose()
        },
      },
    )
  const isNew = index >= atFirst.replies.length
  const [before, after] = [atFirst.replies.slice(0, index), atFirst.replies.slice(index + 1)]
  const submit = (event: FormEvent) => {
    event.preventDefault()
    save([...before, { name, text }, ...after], 'Reply saved.')
  }
  return (
    <Sheet title={isNew ? 'Add a reply' : `Change ${atFirst.replies[index]?.name}`} onClose={onClose} isTall>
      <form className={`stack ${sheets.form}`} onSubmit={submit}>
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
          hint={`may contain ${known.join(', ')}`}
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
        {!isNew && (
          <button
            type="button"
            disabled={isPending}
            onClick={() => save([...before, ...after], 'Reply deleted.')}
          >
            Delete
          </button>
        )}
      </form>
    </Sheet>
  )
}
