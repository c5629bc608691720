import { useEffect, useLayoutEffect, useState } from 'react'
import { close, notices, offline } from '#brand/words/form.ts'
import * as words from '#brand/words/outcome.ts'
import { anchors } from '#shared/pages.ts'
import styles from './toasts.module.css'

type Kind = 'success' | 'error'
type Toast = { text: string; kind: Kind | undefined }

const titles = { success: words.sentTitle, error: words.failedTitle }
/** Long enough for any reader: in practice, it stays until it is dismissed. */
const OUTCOME_MS = 1_000_000
const NOTICE_MS = 4000
const MAX_NOTICES = 3

let changeToasts: (next: (shown: Toast[]) => Toast[]) => void = () => {}

/**
 * Shows a short text for a moment or, with `kind`, what became of the form. Takes the place of the
 * same text, or of what became of the form before.
 */
export function notify(text: string, kind?: Kind): void {
  const toast = { text, kind }
  const stays = (other: Toast) => (kind ? !other.kind : other.text !== text)
  changeToasts((shown) => [...shown.filter(stays), toast])
  setTimeout(() => hide(toast), kind ? OUTCOME_MS : NOTICE_MS)
}

const hide = (toast: Toast) => changeToasts((shown) => shown.filter((other) => other !== toast))

/**
 * If the focus was in the toast, moves it to the confirmation or, if nothing was sent, to the
 * button.
 */
export function dismissOutcome() {
  if (!document.querySelector('[data-outcome]')) return
  changeToasts((shown) => shown.filter(({ kind }) => !kind))
  setTimeout(() => {
    for (const selector of [`#${anchors.sent}`, `#${anchors.contact} [type="submit"]`])
      if (document.activeElement === document.body)
        document.querySelector<HTMLElement>(selector)?.focus({ preventScroll: true })
  })
}

/** Says whether the form was sent, and shows the last notices. */
export function Toasts() {
  const [toasts, setToasts] = useState<Toast[]>([])

  // Earlier than other effects, which may already notify.
  useLayoutEffect(() => {
    changeToasts = setToasts
  }, [])
  useEffect(() => {
    const controller = new AbortController()
    window.addEventListener('offline', () => notify(offline), controller)
    const onKeyDown = ({ key }: KeyboardEvent) => key === 'Escape' && dismissOutcome()
    document.addEventListener('keydown', onKeyDown, controller)
    return () => controller.abort()
  }, [])

  const outcome = toasts.filter(({ kind }) => kind)
  const lastNotices = toasts.filter(({ kind }) => !kind).slice(-MAX_NOTICES)
  return (
    <section className={styles.toasts} aria-live="polite" aria-label={notices} data-print="never">
      {[...lastNotices, ...outcome].map((toast) => (
        <div
          key={toast.text}
          className={`box ${styles.toast}`}
          data-outcome={toast.kind}
          role={toast.kind && 'alert'}
        >
          <div>
            {toast.kind && <strong>{titles[toast.kind]}</strong>}
            <p>{toast.text}</p>
          </div>
          <button
            type="button"
            aria-label={close}
            onClick={() => (toast.kind ? dismissOutcome() : hide(toast))}
          >
            <svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
              <path d="M3 3l10 10M13 3L3 13" stroke="currentColor" strokeWidth="2" />
            </svg>
          </button>
        </div>
      ))}
    </section>
  )
}
