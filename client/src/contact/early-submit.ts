import { clickSubmit } from '../ui/click-submit.ts'
import { announce } from './announce.ts'

const READY = 'contact-form-ready'
const LOAD_TIMEOUT_MS = 10_000

/**
 * Delays a submit until the application has loaded, and says so. If loading fails, call the returned function: the browser
 * then validates and sends the form itself. Listens on the document, because React may replace the form.
 */
export function delayEarlySubmit(form: HTMLFormElement): () => void {
  let isSubmitted = false
  let loadTimeout: ReturnType<typeof setTimeout> | undefined
  let showUnsent = () => {}
  const delay = (event: Event) => {
    event.preventDefault()
    if (isSubmitted) return
    isSubmitted = true
    showUnsent = showSending(event.target as HTMLFormElement)
    // A stalled download of the application neither finishes nor fails, so it needs a timeout.
    loadTimeout = setTimeout(sendWithoutScript, LOAD_TIMEOUT_MS)
  }
  function sendWithoutScript() {
    // If the application loads later, it must not send the form again.
    document.removeEventListener(READY, release)
    form.noValidate = false
    release()
  }
  const release = () => {
    clearTimeout(loadTimeout)
    document.removeEventListener('submit', delay)
    showUnsent()
    if (isSubmitted) clickSubmit(document.querySelector('form'))
  }
  form.noValidate = true
  document.addEventListener('submit', delay)
  document.addEventListener(READY, release, { once: true })
  return sendWithoutScript
}

/** Returns a function that undoes it: until then, React expects the text that was prerendered. */
function showSending(form: HTMLFormElement): () => void {
  const button = form.querySelector<HTMLElement>('[type="submit"]')
  const text = button?.firstChild
  const before = text?.nodeValue ?? ''
  const show = (isBusy: boolean, words: string) => {
    if (isBusy) form.setAttribute('aria-busy', 'true')
    else form.removeAttribute('aria-busy')
    announce(isBusy ? words : '')
    if (text) text.nodeValue = words
  }
  // The words are in the document, so that they aren't in the inlined script, too.
  show(true, button?.dataset.sending ?? before)
  return () => show(false, before)
}

/** Call this when the application is ready to handle submits, or when it has failed. */
export const releaseEarlySubmit = () => document.dispatchEvent(new Event(READY))
