import { formTokenField, formTokenPath, trapField } from '#shared/contact-request.ts'
import { controlOf } from './form-values.ts'

/** What goes along with a request and lets the server tell people from programs. Nothing ever waits for it. */
export function createFormClues({ fetch }: { fetch: (path: string) => Promise<Response> }) {
  let token = ''
  let isAsking = false

  async function ask(): Promise<string> {
    const response = await fetch(formTokenPath)
    return response.ok ? response.text() : ''
  }

  return {
    /** Asks for a signed time when the form is first touched; again at the next touch where that failed. */
    async onTouch() {
      if (token || isAsking) return
      isAsking = true
      token = await ask().catch(() => '')
      isAsking = false
    },

    read: (form: HTMLFormElement) => ({
      [trapField]: controlOf(form, trapField)?.value ?? '',
      [formTokenField]: token,
    }),
  }
}
