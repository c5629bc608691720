import { useEffect, useState } from 'react'
import { ToastContainer, type ToastContainerProps, toast } from 'react-toastify/unstyled'
import { notices, offline, outcome } from '#brand/words/form.ts'
import * as words from '#brand/words/outcome.ts'
import { anchors } from '#shared/pages.ts'
import '../styles/toasts.css'

const OUTCOME = 'outcome'
const NOTICES = 'notices'

/** Long enough for any reader: in practice, the toast stays until it is dismissed. */
const OUTCOME_MS = 1_000_000
const NOTICE_MS = 4000

/** Replaces the library's transitions, which need its style sheet. */
const transition: ToastContainerProps['transition'] = ({ children, done, isIn, playToast }) => {
  useEffect(() => {
    if (isIn) playToast()
    else done()
  }, [isIn, done, playToast])
  return <>{children}</>
}

const shared: ToastContainerProps = {
  transition,
  closeOnClick: false,
  draggable: false,
  hideProgressBar: true,
  icon: false,
}

/** Renders nothing until the script runs, so the prerendered page has no toasts. */
export function Toasts() {
  const [hasScript, setScript] = useState(false)
  useEffect(() => {
    setScript(true)
    const controller = new AbortController()
    window.addEventListener('offline', () => notify(offline), controller)
    const onKeyDown = ({ key }: KeyboardEvent) => key === 'Escape' && dismissOutcome()
    document.addEventListener('keydown', onKeyDown, controller)
    return () => controller.abort()
  }, [])
  if (!hasScript) return null
  return (
    <>
      {/* Must be first: toasts created before rendering, such as `restored`, go only to the first container. */}
      <ToastContainer
        {...shared}
        containerId={NOTICES}
        aria-label={notices}
        position="bottom-right"
        limit={3}
        autoClose={NOTICE_MS}
        role="none"
      />
      <ToastContainer
        {...shared}
        containerId={OUTCOME}
        aria-label={outcome}
        position="top-right"
        limit={1}
        autoClose={OUTCOME_MS}
      />
    </>
  )
}

/** If the focus was in the toast that has closed, moves it to the confirmation or, if nothing was sent, to the button. */
const returnFocus = () =>
  setTimeout(() => {
    for (const selector of [`#${anchors.sent}`, `#${anchors.contact} [type="submit"]`])
      if (document.activeElement === document.body)
        document.querySelector<HTMLElement>(selector)?.focus({ preventScroll: true })
  })

const outcomeOptions = { containerId: OUTCOME, onClose: returnFocus }

const outcomeToast = (title: string, text: string) => (
  <div>
    <strong>{title}</strong>
    <p>{text}</p>
  </div>
)

export const toastSent = () => toast.success(outcomeToast(words.sentTitle, words.sentText), outcomeOptions)

export const toastFailed = (text: string) =>
  toast.error(outcomeToast(words.failedTitle, text), outcomeOptions)

export const dismissOutcome = () => toast.dismiss({ containerId: OUTCOME })

export const notify = (text: string) => toast.info(text, { containerId: NOTICES })
