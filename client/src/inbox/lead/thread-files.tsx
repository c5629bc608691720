import { useMutation } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { sizeInWords } from '#shared/files-in-words.ts'
import { fileOfEvent } from '#shared/inbox/files.ts'
import { WorkingButton } from '../../ui/button.tsx'
import { type ApiError, downloadFile, saveFile } from '../data/api.ts'
import { pathOf } from '../data/queries.ts'
import styles from './thread-files.module.css'

type Props = { reference: string; event: number; files: readonly string[] }

/** The files of a message or an answer. Each is fetched when it is pressed. */
export const ThreadFiles = ({ reference, event, files }: Props) => (
  <ul className={styles.files}>
    {files.map((words, index) => (
      <ThreadFile key={index} words={words} path={`${pathOf(reference)}/${fileOfEvent(event, index)}`} />
    ))}
  </ul>
)

/** `words`: the name of the file, and its size. */
function ThreadFile({ words, path }: { words: string; path: string }) {
  const [received, setReceived] = useState(0)
  const [picture, setPicture] = useState<string>()
  useEffect(() => () => URL.revokeObjectURL(picture ?? ''), [picture])
  const name = words.replace(/ \([^()]*\)$/, '')
  const { mutate, isPending, error } = useMutation<File, ApiError>({
    // One after another: the mailbox gives only two at a time, to all owners.
    scope: { id: 'file' },
    mutationFn: () => downloadFile(path, setReceived),
    // The server says so only of pictures that can run nothing.
    onSuccess: (file) =>
      file.type.startsWith('image/') ? setPicture(URL.createObjectURL(file)) : saveFile(file, name),
  })
  // Its room is taken when it is pressed, so that nothing moves later.
  const isPicture = picture !== undefined || (isPending && /\.(?:jpe?g|png|gif|webp)$/i.test(name))
  return (
    <li>
      <WorkingButton isWorking={isPending} onClick={() => mutate()}>
        {error?.isTransient && <span>Try again: </span>}
        <bdi>{words}</bdi>
      </WorkingButton>
      {picture && (
        <a href={picture} download={name} aria-label={`Save ${name}`} className="touch">
          Save
        </a>
      )}
      <div className={isPicture ? styles.picture : undefined}>
        <p role="status" className={error ? 'error' : 'muted'}>
          <span>{isPending ? `Fetching ${name}… ` : error?.message}</span>
          {isPending && <span aria-hidden="true">{sizeInWords(received)}</span>}
        </p>
        {picture && <img src={picture} alt={name} />}
      </div>
    </li>
  )
}
