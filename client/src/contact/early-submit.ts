const READY = 'contact-form-ready'
const LOAD_TIMEOUT_MS = 10_000

/**
 * Delays a submit until the application has loaded. If loading fails, call the returned function: the browser then validates
 * and sends the form itself.
 */
export function delayEarlySubmit(form: HTMLFormElement): () => void {
  let isSubmitted = false
  let loadTimeout: ReturnType<typeof setTimeout> | undefined
  const delay = (event: Event) => {
    event.preventDefault()
    isSubmitted = true
    form.setAttribute('aria-busy', 'true')
    // A stalled download of the application neither finishes nor fails, so it needs a timeout.
    loadTimeout ??= setTimeout(sendWithoutScript, LOAD_TIMEOUT_MS)
  }
  function sendWithoutScript() {
    // If the application loads later, it must not send the form again.
    form.removeEventListener(READY, release)
    form.noValidate = false
    release()
  }
  const release = () => {
    clearTimeout(loadTimeout)
    form.removeAttribute('aria-busy')
    form.removeEventListener('submit', delay)
    if (isSubmitted) form.requestSubmit()
  }
  form.noValidate = true
  form.addEventListener('submit', delay)
  form.addEventListener(READY, release, { once: true })
  return sendWithoutScript
}

/** Call this when the application is ready to handle submits. */
export const releaseEarlySubmit = (form: HTMLFormElement) => form.dispatchEvent(new Event(READY))
