import { type ReactNode, useCallback, useLayoutEffect, useRef, useState } from 'react'
import { createPortal } from 'react-dom'
import { useSheetSlot } from '../ui/sheet.tsx'
import { AnswerNotice } from './answer-notice.tsx'
import styles from './notice-area.module.css'
import { type Notice, type Notify, NotifyContext } from './notices.ts'
import { TextNotice } from './text-notice.tsx'

// The public page has the same limit. Answers that can still be undone don't count toward it.
const MAX_NOTICES = 3

type Shown = { id: string; notice: Notice }

/** Shows what just happened and offers to undo it. */
export function NoticeArea({ children }: { children: ReactNode }) {
  const [shown, setShown] = useState<Shown[]>([])
  const count = useRef(0)
  const notify = useCallback<Notify>((notice) => {
    const id = notice.kind === 'answer' ? notice.key : String(count.current++)
    // If the notice about this answer is already shown, don't add it again.
    setShown((before) =>
      before.some((other) => other.id === id) ? before : withoutOldest([...before, { id, notice }]),
    )
  }, [])
  const close = useCallback((id: string) => setShown((before) => before.filter((one) => one.id !== id)), [])
  const [area] = useState(createArea)
  const home = useRef<HTMLDivElement>(null)
  const slot = useSheetSlot()
  // Moves the notices into the open sheet and back without rendering them again, which would interrupt an undo.
  useLayoutEffect(() => (slot ?? home.current)?.append(area), [slot, area])
  return (
    <NotifyContext value={notify}>
      {children}
      <div ref={home} role="status" />
      {createPortal(
        shown.map(({ id, notice }) =>
          notice.kind === 'answer' ? (
            <AnswerNotice key={id} answer={notice} onClose={() => close(id)} />
          ) : (
            <TextNotice key={id} notice={notice} onClose={() => close(id)} />
          ),
        ),
        area,
      )}
    </NotifyContext>
  )
}

const createArea = () => Object.assign(document.createElement('div'), { className: styles.area })

/** Drops the oldest notices, but never an answer that can still be undone. */
function withoutOldest(shown: Shown[]): Shown[] {
  const others = shown.filter(({ notice }) => notice.kind !== 'answer')
  const dropped = new Set(others.slice(0, -MAX_NOTICES))
  return shown.filter((one) => !dropped.has(one))
}
