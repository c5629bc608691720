import { type ReactNode, useCallback, useRef, useState } from 'react'
import { AnswerNotice } from './answer-notice.tsx'
import styles from './notice-area.module.css'
import { type Notice, type Notify, NotifyContext } from './notices.ts'
import { TextNotice } from './text-notice.tsx'

// At most three notices at a time, as on the public page.
const MAX_NOTICES = 3

type Shown = { id: string; notice: Notice }

/** Shows what just happened and offers to undo it. */
export function NoticeArea({ children }: { children: ReactNode }) {
  const [shown, setShown] = useState<Shown[]>([])
  const count = useRef(0)
  const notify = useCallback<Notify>((notice) => {
    const id = notice.kind === 'answer' ? notice.key : String(count.current++)
    // An answer that is already shown stays where it is. If there are too many notices, the oldest others go.
    setShown((before) =>
      before.some((other) => other.id === id) ? before : [...before, { id, notice }].slice(-MAX_NOTICES),
    )
  }, [])
  const close = useCallback((id: string) => setShown((before) => before.filter((one) => one.id !== id)), [])
  return (
    <NotifyContext value={notify}>
      {children}
      <div className={styles.area} role="status">
        {shown.map(({ id, notice }) =>
          notice.kind === 'answer' ? (
            <AnswerNotice key={id} answer={notice} onClose={() => close(id)} />
          ) : (
            <TextNotice key={id} notice={notice} onClose={() => close(id)} />
          ),
        )}
      </div>
    </NotifyContext>
  )
}
