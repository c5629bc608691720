import { type ContactField, contactFieldNames } from '#shared/contact-request.ts'

export type FormValues = Record<ContactField, string>

type Control = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement

/** The form is the one place where the values live: what was typed before the script came is there as well. */
export const controlOf = (form: HTMLFormElement, field: string) =>
  form.elements.namedItem(field) as Control | null

export function readValues(form: HTMLFormElement): FormValues {
  const entries = contactFieldNames.map((field) => [field, controlOf(form, field)?.value ?? ''])
  return Object.fromEntries(entries)
}

/** Fills the fields that are still empty; true if there was one. */
export function fillEmpty(form: HTMLFormElement, values: Partial<FormValues>): boolean {
  const empty = contactFieldNames.filter((field) => values[field] && controlOf(form, field)?.value === '')
  for (const field of empty) {
    const control = controlOf(form, field) as Control
    control.value = values[field] ?? ''
    // As if it had been typed: whoever counts or keeps hears of it.
    control.dispatchEvent(new Event('input', { bubbles: true }))
  }
  return empty.length > 0
}
