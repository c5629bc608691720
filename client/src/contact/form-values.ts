import { type ContactField, contactFieldNames } from '#shared/contact-request.ts'

export type FormValues = Record<ContactField, string>

type Control = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement

/** Finds a field's control. Values are kept in the controls, not in React, because visitors may type before React loads. */
export const controlOf = (form: HTMLFormElement, field: string) =>
  form.elements.namedItem(field) as Control | null

export function readValues(form: HTMLFormElement): FormValues {
  const entries = contactFieldNames.map((field) => [field, controlOf(form, field)?.value ?? ''])
  return Object.fromEntries(entries)
}

/** Fills empty fields; returns whether it filled any. */
export function fillEmpty(form: HTMLFormElement, values: Partial<FormValues>): boolean {
  const empty = contactFieldNames.filter((field) => values[field] && controlOf(form, field)?.value === '')
  for (const field of empty) {
    const control = controlOf(form, field) as Control
    control.value = values[field] ?? ''
    // Updates the character count and the draft.
    control.dispatchEvent(new Event('input', { bubbles: true }))
  }
  return empty.length > 0
}
