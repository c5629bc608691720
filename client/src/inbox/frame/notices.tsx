import { useMutation } from '@tanstack/react-query'
import {
  createContext,
  type ReactNode,
  useCallback,
  useContext,
  useEffect,
  useEffectEvent,
  useRef,
  useState,
} from 'react'
import { useLocation, useNavigate } from 'react-router-dom'
import { inboxPath } from '#shared/inbox/api.ts'
import { serverNow } from '../data/api.ts'
import { undoAnswer } from '../data/draft.ts'
import { passFocusOn } from '../ui/sheet.tsx'
import styles from './notices.module.css'

type Answer = { kind: 'answer'; reference: string; name: string; key: string; sendsAt: string }

type Notice =
  /** `undo` reverses what the text describes. */
  | { kind: 'done'; text: string; undo?: (() => void) | undefined }
  | { kind: 'failed'; text: string }
  /** An answer that is about to be sent. */
  | Answer

const NotifyContext = createContext<(notice: Notice) => void>(() => {})

/** Shows a notice at the bottom of the window. */
export const useNotify = () => useContext(NotifyContext)

// The public page has the same limit. Answers that can still be undone don't count toward it.
const MAX_NOTICES = 3

type Shown = { id: string; notice: Notice }

/** Shows what just happened and offers to undo it. */
export function NoticeArea({ children }: { children: ReactNode }) {
  const [shown, setShown] = useState<Shown[]>([])
  const count = useRef(0)
  const notify = useCallback((notice: Notice) => {
    const id = notice.kind === 'answer' ? notice.key : String(count.current++)
    // If the notice about this answer is already shown, don't add it again.
    setShown((before) =>
      before.some((other) => other.id === id) ? before : withoutOldest([...before, { id, notice }]),
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

/** Drops the oldest notices, but never an answer that can still be undone. */
function withoutOldest(shown: Shown[]): Shown[] {
  const others = shown.filter(({ notice }) => notice.kind !== 'answer')
  const dropped = new Set(others.slice(0, -MAX_NOTICES))
  return shown.filter((one) => !dropped.has(one))
}

// Long enough to read a notice twice. Errors stay until they are dismissed.
const SHOWN_MS = 12_000

function TextNotice({ notice, onClose }: { notice: Exclude<Notice, Answer>; onClose: () => void }) {
  const [isHeld, setHeld] = useState(false)
  const close = useEffectEvent(onClose)
  const isLasting = notice.kind === 'failed'
  useEffect(() => {
    if (isHeld || isLasting) return
    const timer = setTimeout(() => close(), SHOWN_MS)
    return () => clearTimeout(timer)
  }, [isHeld, isLasting])

  const undo = notice.kind === 'done' ? notice.undo : undefined
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the handlers only keep the notice open while somebody reads it.
    <div
      ref={passFocusOn}
      className={`${styles.notice} ${isLasting ? styles.failed : ''}`}
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
    >
      <p>{notice.text}</p>
      {undo && (
        <button
          type="button"
          onClick={() => {
            onClose()
            undo()
          }}
        >
          Undo
        </button>
      )}
      <button type="button" className={styles.quiet} aria-label="Dismiss" onClick={onClose}>
        ×
      </button>
    </div>
  )
}

/** Says that an answer is about to be sent. Until it is sent, the owner can undo it from any page. */
function AnswerNotice({ answer, onClose }: { answer: Answer; onClose: () => void }) {
  const { reference, name, key, sendsAt } = answer
  const navigate = useNavigate()
  const { pathname, search } = useLocation()
  const notify = useNotify()
  const seconds = useSecondsUntil(sendsAt)
  const { mutate, isPending, error } = useMutation({
    ...undoAnswer(reference),
    onSuccess: () => {
      onClose()
      const page = `${inboxPath}/${reference}`
      const isOpen = pathname === page
      navigate(isOpen ? page + search : page, { replace: isOpen, state: { reply: key } })
    },
  })
  const canUndo = isPending || (seconds > 0 && (!error || error.isTransient))
  useEffect(() => {
    if (canUndo) return
    onClose()
    if (error) notify({ kind: 'failed', text: `Your answer to ${name} couldn't be undone. ${error.message}` })
  }, [canUndo, error, name, onClose, notify])

  return (
    <div ref={passFocusOn} className={styles.notice}>
      <p>
        {error && <strong>This couldn't be undone yet. {error.message} </strong>}
        {/* In an element: React can't insert anything before a text that a translator has replaced. */}
        <span>Sending your answer to {name}</span>
        <span aria-hidden="true">
          {' '}
          in <data value={seconds}>{seconds}</data> s
        </span>
      </p>
      <button type="button" disabled={isPending} onClick={() => mutate(key)}>
        Undo
      </button>
    </div>
  )
}

function useSecondsUntil(time: string): number {
  const left = () => Math.max(0, Math.ceil((Date.parse(time) - serverNow()) / 1000))
  const [seconds, setSeconds] = useState(left)
  useEffect(() => {
    const timer = setInterval(() => setSeconds(left), 250)
    return () => clearInterval(timer)
  })
  return seconds
}
