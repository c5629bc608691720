import { useEffect, useRef, useState } from 'react'
import { useLocation, useNavigate } from 'react-router-dom'
import { inboxPath } from '#shared/inbox/api.ts'
import { UNDO_SECONDS } from '#shared/inbox/lead.ts'
import { useUndoAnswer } from '../data/answers.ts'
import { serverNow } from '../data/server-clock.ts'
import { passFocusOn } from '../ui/focus-heading.ts'
import styles from './notice-area.module.css'
import { type Notice, useNotify } from './notices.ts'

type Props = { answer: Extract<Notice, { kind: 'answer' }>; onClose: () => void }

/** Says that an answer is about to be sent. Until it is sent, the owner can undo it from any page. */
export function AnswerNotice({ answer: { reference, name, key, sendsAt }, onClose }: Props) {
  const undo = useUndoAnswer(reference)
  const navigate = useNavigate()
  const { pathname, search } = useLocation()
  const notify = useNotify()
  const seconds = useSecondsUntil(sendsAt)
  const { error, isRunning } = undo
  const isOver = seconds === 0
  const canUndo = isRunning || (!isOver && (!error || error.isTransient))

  useEffect(() => {
    if (canUndo) return
    onClose()
    if (error) notify({ kind: 'failed', text: `Your answer to ${name} couldn't be undone. ${error.message}` })
  }, [canUndo, error, name, onClose, notify])

  const onUndo = async () => {
    if ((await undo.run(key)) === undefined) return
    onClose()
    const page = `${inboxPath}/${reference}`
    navigate(pathname === page ? `${page}${search}` : page, {
      replace: pathname === page,
      state: { reply: key },
    })
  }

  return (
    <div ref={passFocusOn} className={styles.notice}>
      <p>
        {error && <strong>This couldn't be undone yet. {error.message} </strong>}
        Sending your answer to {name}
        <span aria-hidden="true">
          {' '}
          in <data value={seconds}>{seconds}</data> s
        </span>
      </p>
      <button type="button" disabled={isRunning} onClick={onUndo}>
        Undo
      </button>
      <Timer sendsAt={sendsAt} />
    </div>
  )
}

function Timer({ sendsAt }: { sendsAt: string }) {
  const bar = useRef<HTMLSpanElement>(null)
  useEffect(() => {
    const leftMs = Math.max(0, Date.parse(sendsAt) - serverNow())
    const share = Math.min(1, leftMs / (UNDO_SECONDS * 1000))
    const animation = bar.current?.animate(
      { transform: [`scaleX(${share})`, 'scaleX(0)'] },
      { duration: leftMs, fill: 'forwards' },
    )
    return () => animation?.cancel()
  }, [sendsAt])
  return <span ref={bar} className={styles.timer} />
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
