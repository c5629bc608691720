const READY = 'contact-form-ready'
const LOAD_TIMEOUT_MS = 10_000

/**
 * Holds a form that is submitted before the application is loaded. If the application fails to load, the caller calls the
 * returned function, and the browser validates and sends the form natively.
 */
export function holdEarlySubmit(form: HTMLFormElement): () => void {
  let isHeld = false
  let loadTimeout: ReturnType<typeof setTimeout> | undefined
  const hold = (event: Event) => {
    event.preventDefault()
    isHeld = true
    form.setAttribute('aria-busy', 'true')
    // The script may neither load nor fail.
    loadTimeout ??= setTimeout(sendWithoutScript, LOAD_TIMEOUT_MS)
  }
  function sendWithoutScript() {
    // If the application still loads, it must not send the form again.
    form.removeEventListener(READY, release)
    // Without the application, the browser validates.
    form.noValidate = false
    release()
  }
  const release = () => {
    clearTimeout(loadTimeout)
    form.removeAttribute('aria-busy')
    form.removeEventListener('submit', hold)
    if (isHeld) form.requestSubmit()
  }
  form.noValidate = true
  form.addEventListener('submit', hold)
  form.addEventListener(READY, release, { once: true })
  return sendWithoutScript
}

/** Call this once the application handles the form. */
export const releaseEarlySubmit = (form: HTMLFormElement) => form.dispatchEvent(new Event(READY))
