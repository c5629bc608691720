import { type ReactNode, useEffect, useLayoutEffect, useState } from 'react'
import { close, notices as noticesLabel, offline } from '#brand/words/form.ts'
import * as words from '#brand/words/outcome.ts'
import { anchors } from '#shared/pages.ts'
import styles from './toasts.module.css'

type Outcome = { kind: 'success' | 'error'; title: string; text: string }

/** Long enough for any reader: in practice, it stays until it is dismissed. */
const OUTCOME_MS = 1_000_000
const NOTICE_MS = 4000
const MAX_NOTICES = 3

let showOutcome: (outcome: Outcome | undefined) => void = () => {}

/** Shows a short text for a moment. */
export let notify: (text: string) => void = () => {}

export const toastSent = () => showOutcome({ kind: 'success', title: words.sentTitle, text: words.sentText })

export const toastFailed = (text: string) => showOutcome({ kind: 'error', title: words.failedTitle, text })

/**
 * If the focus was in the toast, moves it to the confirmation or, if nothing was sent, to the
 * button.
 */
export function dismissOutcome() {
  if (!document.querySelector('[data-outcome]')) return
  showOutcome(undefined)
  setTimeout(() => {
    for (const selector of [`#${anchors.sent}`, `#${anchors.contact} [type="submit"]`])
      if (document.activeElement === document.body)
        document.querySelector<HTMLElement>(selector)?.focus({ preventScroll: true })
  })
}

/** Says whether the form was sent, and shows the last notices. */
export function Toasts() {
  const [outcome, setOutcome] = useState<Outcome>()
  const [notices, setNotices] = useState<string[]>([])
  const closeNotice = (text: string) => setNotices((shown) => shown.filter((other) => other !== text))

  // Earlier than other effects, which may already notify.
  useLayoutEffect(() => {
    showOutcome = setOutcome
    notify = (text) => {
      setNotices((shown) => [...shown.filter((other) => other !== text).slice(1 - MAX_NOTICES), text])
      setTimeout(() => closeNotice(text), NOTICE_MS)
    }
  }, [])
  useEffect(() => {
    const controller = new AbortController()
    window.addEventListener('offline', () => notify(offline), controller)
    const onKeyDown = ({ key }: KeyboardEvent) => key === 'Escape' && dismissOutcome()
    document.addEventListener('keydown', onKeyDown, controller)
    return () => controller.abort()
  }, [])
  useEffect(() => {
    const timer = outcome && setTimeout(dismissOutcome, OUTCOME_MS)
    return () => clearTimeout(timer)
  }, [outcome])

  return (
    <section className={styles.toasts} aria-live="polite" aria-label={noticesLabel}>
      {notices.map((text) => (
        <Toast key={text} onClose={() => closeNotice(text)}>
          {text}
        </Toast>
      ))}
      {outcome && (
        <Toast kind={outcome.kind} onClose={dismissOutcome}>
          <strong>{outcome.title}</strong>
          <p>{outcome.text}</p>
        </Toast>
      )}
    </section>
  )
}

type Props = { kind?: Outcome['kind']; children: ReactNode; onClose: () => void }

function Toast({ kind, children, onClose }: Props) {
  return (
    <div className={`box ${styles.toast}`} data-outcome={kind} role={kind && 'alert'}>
      <div>{children}</div>
      <button type="button" aria-label={close} onClick={onClose}>
        <svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
          <path d="M3 3l10 10M13 3L3 13" stroke="currentColor" strokeWidth="2" />
        </svg>
      </button>
    </div>
  )
}
