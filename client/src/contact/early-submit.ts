const READY = 'contact-form-ready'

/**
 * A form that is sent before the application is there waits for it: the visitor gets the same answer as everybody
 * else. If the application fails to load, the browser sends the form by itself. The function returned says so.
 */
export function holdEarlySubmit(form: HTMLFormElement): () => void {
  let isHeld = false
  const hold = (event: Event) => {
    event.preventDefault()
    isHeld = true
  }
  const release = () => {
    form.removeEventListener('submit', hold)
    if (isHeld) form.requestSubmit()
  }
  form.noValidate = true
  form.addEventListener('submit', hold)
  form.addEventListener(READY, release, { once: true })
  return () => {
    form.noValidate = false
    release()
  }
}

/** To be called when the application has taken the form over. */
export const releaseEarlySubmit = (form: HTMLFormElement) => form.dispatchEvent(new Event(READY))
