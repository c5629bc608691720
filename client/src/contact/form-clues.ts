import { formTokenField, formTokenPath, honeypotField } from '#shared/contact-request.ts'
import { controlOf } from './form-values.ts'

// A token has less than half of this.
const MAX_TOKEN = 200

/** Extra fields that help the server tell people from bots. Sending never waits for them. */
export function createFormClues() {
  let token = ''
  let isRequesting = false

  async function requestToken(): Promise<string> {
    const response = await fetch(formTokenPath)
    const token = response.ok ? await response.text() : ''
    // Something on the way may have answered with a page.
    return token.length <= MAX_TOKEN ? token : ''
  }

  return {
    /**
     * Call this whenever the visitor touches the form. Requests the token, unless it has arrived or
     * is on its way.
     */
    async onTouch() {
      if (token || isRequesting) return
      isRequesting = true
      token = await requestToken().catch(() => '')
      isRequesting = false
    },

    /** Call this after a request was sent: a token is good for one. */
    forget() {
      token = ''
    },

    read: (form: HTMLFormElement) => ({
      [honeypotField]: controlOf(form, honeypotField)?.value ?? '',
      [formTokenField]: token,
    }),
  }
}
