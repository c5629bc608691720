import { skipToken, useMutation, useQuery } from '@tanstack/react-query'
import { type ClipboardEvent, type DragEvent, useRef, useState } from 'react'
import { count } from '#shared/count.ts'
import { sizeInWords } from '#shared/files-in-words.ts'
import type { AttachedFile } from '#shared/inbox/files.ts'
import type { LeadDetail } from '#shared/inbox/lead.ts'
import { keys } from '../data/queries.ts'
import { cancelUpload, detachFile, type Upload, upload } from '../data/uploads.ts'
import { passFocusOn } from '../ui/focus.ts'
import styles from './attach-files.module.css'

const attachment = /\b(attached|attachments?|enclosed|anbei|im anhang)\b/i

/** `text`: of the answer. `uploads`: files that are not `attached` yet. */
type Props = { lead: LeadDetail; uploads: Upload[]; text: string; onChoose: (files: File[]) => void }

/** The files of an answer, and a button that adds some. */
export function AttachFiles({ lead: { reference, attached }, uploads, text, onChoose }: Props) {
  const input = useRef<HTMLInputElement>(null)
  const stored = attached.filter(({ id }) => !uploads.some((one) => one.id === id))
  const line = (file: AttachedFile, chosen?: Upload) => (
    <FileLine key={file.id} reference={reference} file={file} chosen={chosen} />
  )
  return (
    <>
      <ul className="lines" aria-label="Attached files" hidden={stored.length + uploads.length === 0}>
        {/* One list, so that a line stays the same when its file is uploaded. */}
        {[
          ...stored.map((file) => line(file)),
          ...uploads.map((one) => line({ id: one.id, name: one.file.name, size: one.file.size }, one)),
        ]}
      </ul>
      <div className="row">
        <button type="button" onClick={() => input.current?.click()}>
          Attach files
        </button>
        <p role="status" className="muted">
          {stored.length > 0
            ? `${count(stored.length, 'file')} attached.`
            : uploads.length === 0 &&
              attachment.test(text) &&
              'You mention an attachment, but there is none.'}
        </p>
        <input
          ref={input}
          type="file"
          multiple
          hidden
          onChange={({ target }) => {
            onChoose([...(target.files ?? [])])
            // So that the same file can be chosen again.
            target.value = ''
          }}
        />
      </div>
    </>
  )
}

type LineProps = { reference: string; file: AttachedFile; chosen: Upload | undefined }

/** A file, how much of it is uploaded, and what went wrong. */
function FileLine({ reference, file, chosen }: LineProps) {
  const { id, name } = file
  const { mutate, error } = useMutation(detachFile(reference))
  const sent = useQuery<number>({ queryKey: keys.typed('sent', id), queryFn: skipToken }).data ?? 0
  const isWaiting = chosen && !chosen.isFailed
  const size = sizeInWords(file.size)
  const remove = () => {
    cancelUpload(reference, id)
    mutate(id)
  }
  const button = (words: string, onClick: () => void) => (
    <button type="button" aria-label={`${words} ${name}`} onClick={onClick}>
      {words}
    </button>
  )
  return (
    <li ref={passFocusOn} className={`row ${styles.file}`}>
      <div className={styles.name}>
        <p>
          <bdi>{name}</bdi>{' '}
          <span className="muted">{isWaiting ? `${Math.floor(sent * 100)} % of ${size}` : size}</span>
        </p>
        <p role="alert" className="error">
          <span>{chosen?.trouble}</span> {isWaiting && chosen.trouble && <span>Trying again…</span>}
          {error && <span>{`Not removed: ${error.message}`}</span>}
        </p>
      </div>
      <div className="row">
        {chosen?.isFailed && button('Try again', () => upload(reference, chosen.file, id))}
        {button(isWaiting ? 'Cancel' : 'Remove', remove)}
      </div>
      {isWaiting && <span className={styles.progress} style={{ inlineSize: `${sent * 100}%` }} />}
    </li>
  )
}

/** The properties of an element into which files are pasted or dropped. */
export function useFileDrop(take: (files: File[]) => void) {
  const [isOver, setOver] = useState(false)
  return {
    'data-over': isOver,
    onDragOver: ({ dataTransfer }: DragEvent) => setOver(dataTransfer.types.includes('Files')),
    onDragLeave({ currentTarget, relatedTarget }: DragEvent) {
      if (!currentTarget.contains(relatedTarget as Node | null)) setOver(false)
    },
    onDrop({ dataTransfer }: DragEvent) {
      setOver(false)
      take([...dataTransfer.files])
    },
    onPaste(event: ClipboardEvent) {
      const files = [...event.clipboardData.files]
      const text = event.clipboardData.getData('text/plain')
      // Word and Excel add a picture of what they copy. File managers add the names of files.
      if (files.length === 0 || (text && !files.some(({ name }) => text.startsWith(name)))) return
      event.preventDefault()
      take(files)
    },
  }
}
