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
import { Link, useLocation, useNavigate, useParams } from 'react-router-dom'
import { inboxPath, openParameter } from '#shared/inbox/api.ts'
import { WorkingButton } from '../../ui/button.tsx'
import { serverNow } from '../data/api.ts'
import { takeBackAnswer } from '../data/draft.ts'
import { useNow } from '../data/timers.ts'
import { passFocusOn } from '../ui/focus.ts'
import styles from './notices.module.css'

/** The lead that a notice is about. */
type About = { reference: string; name: string }
/** An answer that is about to be sent. */
type Answer = { kind: 'answer'; about: About & { firstName: string }; key: string; sendsAt: string }
/**
 * `undo` reverses what the text describes, `retry` repeats what
 * failed. The text continues after the name.
 */
type Text = {
  kind: 'done' | 'failed'
  about?: About
  text: string
  undo?: (() => void) | undefined
  retry?: (() => void) | undefined
}
export type Notice = Answer | Text

export const NotifyContext = createContext<(notice: Notice) => void>(() => {})

/** Shows a notice at the bottom of the window. */
export const useNotify = () => useContext(NotifyContext)

/** Like `useNotify`, but says nothing while what calls this is shown: it says so itself. */
export function useNotifyOnceClosed() {
  const notify = useNotify()
  const isShown = useRef(false)
  useEffect(() => {
    isShown.current = true
    return () => {
      isShown.current = false
    }
  }, [])
  return (notice: Notice) => {
    if (!isShown.current) notify(notice)
  }
}

type Shown = Notice & { id: string }

/**
 * Shows what just happened and offers to undo it, in one bar: a notice replaces the one
 * before it. But the latest answer that can still be undone stays, and failures come back.
 */
export function NoticeArea({ children }: { children: ReactNode }) {
  const [shown, setShown] = useState<Shown[]>([])
  const count = useRef(0)
  const notify = useCallback((notice: Notice) => {
    const id = notice.kind === 'answer' ? notice.key : String(count.current++)
    setShown((before) => withNotice(before, { ...notice, id }))
  }, [])
  const close = (id: string) => setShown((before) => before.filter((one) => one.id !== id && !isSent(one)))
  const newest = shown.at(-1)
  const answer = shown.filter(({ kind }) => kind === 'answer').at(-1)
  const visible = [answer, newest === answer ? undefined : newest].filter((one) => one !== undefined)
  return (
    <NotifyContext value={notify}>
      {children}
      <div ref={measureHeight} className={styles.area} role="status" aria-atomic={false}>
        {visible.map((notice) =>
          notice.kind === 'answer' ? (
            <AnswerNotice key={notice.id} answer={notice} onClose={() => close(notice.id)} />
          ) : (
            <TextNotice key={notice.id} notice={notice} onClose={() => close(notice.id)} />
          ),
        )}
      </div>
    </NotifyContext>
  )
}

/** Tells the styles how high the notices are, so that the end of a page can scroll above them. */
function measureHeight(area: HTMLElement | null) {
  const root = document.documentElement
  const observer = new ResizeObserver(() =>
    root.style.setProperty('--notices', `${area?.clientHeight ?? 0}px`),
  )
  if (area) observer.observe(area)
  return () => observer.disconnect()
}

/** What is shown once another notice comes. */
export function withNotice(before: Shown[], notice: Shown): Shown[] {
  // One that was sent may be what the page still knows of a lead that is opened again.
  if (isSent(notice)) return before
  const others = before.filter(({ id }) => id !== notice.id)
  if (others.length === before.length) return [...before.filter((other) => outlives(other, notice)), notice]
  // There is already a notice about this answer, perhaps behind that of a later one.
  const isAnswer = ({ kind }: Notice) => kind === 'answer'
  return isAnswer(notice)
    ? [...others.filter(isAnswer), notice, ...others.filter((other) => !isAnswer(other))]
    : before
}

const isSent = (notice: Notice): boolean =>
  notice.kind === 'answer' && Date.parse(notice.sendsAt) <= serverNow()

/**
 * Whether a notice stays behind a newer one. A failure ends with the
 * next notice about the same lead.
 */
function outlives(notice: Notice, newer: Notice): boolean {
  if (notice.kind === 'answer') return !isSent(notice)
  const { kind, about } = notice
  return kind === 'failed' && about !== undefined && about.reference !== newer.about?.reference
}

/** Leads to a lead, in the list that is shown. */
function useLeadOf() {
  const navigate = useNavigate()
  const { search } = useLocation()
  const { reference: open } = useParams()
  const pathTo = ({ reference }: About) => `${inboxPath}/${reference}${search}`
  /** `sheet`: the one to open there. */
  const openLead = (about: About, sheet?: 'reply') => {
    const parameters = new URLSearchParams(search)
    if (sheet) parameters.set(openParameter, sheet)
    navigate(
      { pathname: `${inboxPath}/${about.reference}`, search: String(parameters) },
      { replace: open !== undefined },
    )
  }
  return { pathTo, openLead }
}

// Long enough to read a notice twice. Errors stay until they are dismissed.
const SHOWN_MS = 12_000

function TextNotice({ notice, onClose }: { notice: Text; onClose: () => void }) {
  const { about, text, undo, retry } = notice
  const { pathTo, openLead } = useLeadOf()
  const [isHeld, setHeld] = useState(false)
  const close = useEffectEvent(onClose)
  const isLasting = notice.kind === 'failed'
  useEffect(() => {
    if (isHeld || isLasting) return
    const timer = setTimeout(() => close(), SHOWN_MS)
    return () => clearTimeout(timer)
  }, [isHeld, isLasting])

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: keeps it open for a reader.
    <div
      ref={passFocusOn}
      className={`between ${styles.notice} ${isLasting ? styles.failed : ''}`}
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
    >
      <p>
        {about && (
          <Link to={pathTo(about)}>
            <bdi>{about.name}</bdi>
          </Link>
        )}
        {/* In an element: React can't replace a text that a translator has wrapped. */}
        <span>{about ? `: ${text}` : text}</span>
      </p>
      {(undo ?? retry) && (
        <button
          type="button"
          data-key={undo && 'z'}
          onClick={() => {
            onClose()
            if (undo && about) openLead(about)
            ;(undo ?? retry)?.()
          }}
        >
          {undo ? 'Undo' : 'Try again'}
        </button>
      )}
      <button type="button" className={styles.quiet} aria-label="Dismiss" onClick={onClose}>
        ×
      </button>
    </div>
  )
}

// Shorter than a second, so that the countdown skips none.
const COUNTDOWN_MS = 250

/**
 * Says that an answer is about to be sent. Until it is sent, the owner can undo it from any page.
 */
function AnswerNotice({ answer, onClose }: { answer: Answer; onClose: () => void }) {
  const { about, key, sendsAt } = answer
  const { pathTo, openLead } = useLeadOf()
  const notify = useNotify()
  const seconds = Math.max(0, Math.ceil((Date.parse(sendsAt) - useNow(COUNTDOWN_MS)) / 1000))
  const { mutate, isPending, error } = useMutation({
    ...takeBackAnswer(about.reference),
    onSuccess: () => {
      onClose()
      openLead(about, 'reply')
    },
  })
  const canUndo = isPending || (seconds > 0 && (!error || error.isTransient))
  useEffect(() => {
    if (canUndo) return
    onClose()
    if (error) notify({ kind: 'failed', about, text: `your answer couldn't be undone. ${error.message}` })
  }, [canUndo, error, about, onClose, notify])

  return (
    <div ref={passFocusOn} className={`between ${styles.notice}`}>
      <p>
        {error && <strong>This couldn't be undone yet. {error.message} </strong>}
        {/* In an element: React can't insert anything before a text that a translator replaced. */}
        <span>Sending your answer to </span>
        <Link to={pathTo(about)}>{about.firstName || about.name}</Link>
        <span aria-hidden="true">
          {' '}
          in <data value={seconds}>{seconds}</data>&nbsp;s
        </span>
      </p>
      <WorkingButton data-key="z" isWorking={isPending} onClick={() => mutate(key)}>
        Undo
      </WorkingButton>
    </div>
  )
}
