import { formTokenField, formTokenPath, honeypotField } from '#shared/contact-request.ts'
import { controlOf } from './form-values.ts'

/** Extra fields that help the server tell people from bots. Nothing waits for them. */
export function createFormClues({ fetch }: { fetch: (path: string) => Promise<Response> }) {
  let token = ''
  let isAsking = false

  async function ask(): Promise<string> {
    const response = await fetch(formTokenPath)
    return response.ok ? response.text() : ''
  }

  return {
    /** Requests a signed time on the first touch; retries on the next touch if that failed. */
    async onTouch() {
      if (token || isAsking) return
      isAsking = true
      token = await ask().catch(() => '')
      isAsking = false
    },

    read: (form: HTMLFormElement) => ({
      [honeypotField]: controlOf(form, honeypotField)?.value ?? '',
      [formTokenField]: token,
    }),
  }
}
