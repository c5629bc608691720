import { send } from '#brand/words/form.ts'
import { releaseEarlySubmit } from './early-submit.ts'

/** Lets the browser validate and send the form, because the application no longer can. */
export function makePlain(): void {
  const form = document.querySelector('form')
  if (!form) return
  form.noValidate = false
  for (const control of form.elements as Iterable<Element> & HTMLFormControlsCollection) {
    // The application may have failed while it was sending.
    control.removeAttribute('readonly')
    control.removeAttribute('disabled')
    if (control.getAttribute('type') === 'submit') control.textContent = send
  }
  releaseEarlySubmit()
}
