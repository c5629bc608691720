import type { Remains } from '../data/changes.ts'
import { Sheet } from '../ui/sheet.tsx'
import styles from './remains-sheet.module.css'

type Props = { remains: Remains & { email: string }; onClose: () => void }

/** Shown after a partial erasure: what is left, and what to do about it. */
export function RemainsSheet({ remains: { files, email }, onClose }: Props) {
  const [it, was, the] = files.length === 1 ? ['it', 'file', 'This'] : ['them', 'files', 'These']
  return (
    <Sheet title="Not everything was erased" onClose={onClose}>
      <p>
        {the} {was} on the server could not be erased and may still contain {email}:
      </p>
      <ul className={styles.files}>
        {files.map((file) => (
          <li key={file}>
            <code>{file}</code>
          </li>
        ))}
      </ul>
      <p>
        Delete {it}, or restore access to {it} and erase again. To erase again, run this on the server:
      </p>
      <p className={styles.files}>
        <code>npm run leads -- erase {email}</code>
      </p>
    </Sheet>
  )
}
