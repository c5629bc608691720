const READY = 'contact-form-ready'
const PATIENCE_MS = 10_000

/**
 * A form that is sent before the application is there waits for it: the visitor gets the same answer as everybody
 * else. If the application fails to load, the browser checks and sends the form by itself. The function returned says so.
 */
export function holdEarlySubmit(form: HTMLFormElement): () => void {
  let isHeld = false
  let patience: ReturnType<typeof setTimeout> | undefined
  const hold = (event: Event) => {
    event.preventDefault()
    isHeld = true
    form.setAttribute('aria-busy', 'true')
    // A script that neither comes nor fails must not keep the request.
    patience ??= setTimeout(sendWithoutScript, PATIENCE_MS)
  }
  function sendWithoutScript() {
    // The application may still come: it must not send the same once more.
    form.removeEventListener(READY, release)
    // Nobody else checks the form now.
    form.noValidate = false
    release()
  }
  const release = () => {
    clearTimeout(patience)
    form.removeAttribute('aria-busy')
    form.removeEventListener('submit', hold)
    if (isHeld) form.requestSubmit()
  }
  form.noValidate = true
  form.addEventListener('submit', hold)
  form.addEventListener(READY, release, { once: true })
  return sendWithoutScript
}

/** To be called when the application has taken the form over. */
export const releaseEarlySubmit = (form: HTMLFormElement) => form.dispatchEvent(new Event(READY))
