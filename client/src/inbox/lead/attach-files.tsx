import { useMutation } from '@tanstack/react-query'
import { useRef } from 'react'
import { count } from '#shared/count.ts'
import { type AttachedFile, sizeInWords } from '#shared/inbox/files.ts'
import type { LeadDetail } from '#shared/inbox/lead.ts'
import {
  attachFiles,
  cancelUpload,
  detachFile,
  isRefused,
  retryUpload,
  type Upload,
  useUploads,
} from '../data/uploads.ts'
import styles from './attach-files.module.css'

const attachment = /\b(attached|attachments?|enclosed|anbei|im anhang)\b/i

/** `text`: of the answer. `isOver`: whether files are dragged over the sheet. */
type Props = { lead: LeadDetail; text: string; isOver: boolean; isLocked: boolean }

/** A button that adds files to an answer, and the list of its files. */
export function AttachFiles({ lead: { reference, attached }, text, isOver, isLocked }: Props) {
  const uploads = useUploads(reference)
  const input = useRef<HTMLInputElement>(null)
  const isUpload = ({ id }: AttachedFile) => uploads.some((upload) => upload.id === id)
  const stored = attached.filter((file) => !isUpload(file))
  const chosen = uploads.map((upload) => {
    const { name, size } = upload.file
    return { id: upload.id, name, size, upload }
  })
  const files: FileProps[] = [...stored, ...chosen]
  const total = count(files.length, 'file')
  const isAll = stored.length === files.length
  const status = isOver
    ? 'Drop the files to attach them.'
    : files.length > 0
      ? `${isAll ? total : `${stored.length} of ${total}`} attached.`
      : attachment.test(text) && 'You mention an attachment, but there is none.'
  return (
    <>
      {files.length > 0 && (
        <ul className="lines" aria-label="Attached files">
          {files.map((file) => (
            <FileLine key={file.id} reference={reference} isLocked={isLocked} {...file} />
          ))}
        </ul>
      )}
      <div className="row">
        <button type="button" disabled={isLocked} onClick={() => input.current?.click()}>
          Attach files
        </button>
        <p role="status" className="muted">
          {status}
        </p>
        <input
          ref={input}
          type="file"
          multiple
          hidden
          onChange={({ target }) => {
            attachFiles(reference, [...(target.files ?? [])])
            // So that the same file can be chosen again.
            target.value = ''
          }}
        />
      </div>
    </>
  )
}

type FileProps = AttachedFile & { upload?: Upload }

/** A file, how much of it is uploaded, and what went wrong. */
function FileLine(file: FileProps & { reference: string; isLocked: boolean }) {
  const { reference, id, name, upload, isLocked } = file
  const { mutate, error } = useMutation(detachFile(reference))
  const sent = upload?.sent
  const isWaiting = upload !== undefined && !isRefused(upload)
  const size = sizeInWords(file.size)
  const remove = () => {
    if (upload) cancelUpload(reference, id)
    if (!upload || sent !== undefined) mutate(id)
  }
  const button = (words: string, onClick: () => void) => (
    <button type="button" aria-label={`${words} ${name}`} disabled={isLocked} onClick={onClick}>
      {words}
    </button>
  )
  return (
    <li className={`row ${styles.file}`}>
      <p className={styles.name}>
        <bdi>{name}</bdi>{' '}
        <span className="muted">{isWaiting ? `${Math.floor((sent ?? 0) * 100)} % of ${size}` : size}</span>
      </p>
      {upload && !isWaiting && button('Try again', () => retryUpload(reference, upload))}
      {button(isWaiting ? 'Cancel' : 'Remove', remove)}
      <p role="alert" className={`error ${styles.trouble}`}>
        {upload?.error && (isWaiting ? `${upload.error.message} Trying again…` : upload.error.message)}
        {error && `Not removed: ${error.message}`}
      </p>
      {isWaiting && (
        <progress className={styles.progress} value={sent ?? 0} aria-label={`Uploading ${name}`} />
      )}
    </li>
  )
}
