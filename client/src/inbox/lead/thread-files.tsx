import { useMutation } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { fileOfEvent } from '#shared/inbox/files.ts'
import { type ApiError, downloadFile } from '../data/api.ts'
import { saveFile } from '../data/file-in.ts'
import { pathOf } from '../data/queries.ts'
import styles from './thread-files.module.css'

type Props = { reference: string; event: number; files: readonly string[] }

/** The files of a message or an answer. Each is fetched when it is pressed. */
export function ThreadFiles({ reference, event, files }: Props) {
  if (files.length === 0) return null
  return (
    <ul className={styles.files} aria-label="Files">
      {files.map((words, index) => (
        <ThreadFile key={index} words={words} path={`${pathOf(reference)}/${fileOfEvent(event, index)}`} />
      ))}
    </ul>
  )
}

/** `words`: the name of the file, and its size. */
function ThreadFile({ words, path }: { words: string; path: string }) {
  const [part, setPart] = useState(0)
  const [picture, setPicture] = useState<File>()
  const { mutate, isPending, error } = useMutation<File, ApiError>({
    mutationFn: () => downloadFile(path, setPart),
    onMutate: () => setPart(0),
    // The server says so only of pictures that can run nothing.
    onSuccess: (file) => (file.type.startsWith('image/') ? setPicture(file) : saveFile(file)),
  })
  const fetchIt = () => mutate()
  const name = words.replace(/ \([^()]*\)$/, '')
  // Its room is taken when it is pressed, so that nothing moves later.
  const isPicture = picture !== undefined || (isPending && /\.(?:jpe?g|png|gif|webp)$/i.test(name))
  return (
    <li>
      <button type="button" disabled={isPending} onClick={fetchIt}>
        <bdi>{words}</bdi>
      </button>
      {picture && (
        <button type="button" aria-label={`Save ${name}`} onClick={() => saveFile(picture)}>
          Save
        </button>
      )}
      {error?.isTransient && !isPending && (
        <button type="button" aria-label={`Try again: ${name}`} onClick={fetchIt}>
          Try again
        </button>
      )}
      <div className={isPicture ? styles.picture : undefined}>
        <p role="status" className={error ? 'error' : 'muted'}>
          {isPending && `Fetching ${name}…`}
          {error?.message}
          {isPending && <span aria-hidden="true"> {Math.floor(part * 100)} %</span>}
        </p>
        {picture && <Preview picture={picture} />}
      </div>
    </li>
  )
}

function Preview({ picture }: { picture: File }) {
  const [address, setAddress] = useState<string>()
  useEffect(() => {
    const made = URL.createObjectURL(picture)
    setAddress(made)
    return () => URL.revokeObjectURL(made)
  }, [picture])
  return address && <img src={address} alt={picture.name} />
}
