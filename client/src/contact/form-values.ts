import {
  type ContactField,
  contactFieldNames,
  contactFields,
  missingText,
  notAnEmail,
} from '#shared/contact-request.ts'

export type FormValues = Record<ContactField, string>
export type Errors = Partial<Record<ContactField, string>>

type Control = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement

/**
 * Finds a field's control. Values are kept in the controls, not in React, because visitors may type
 * before React loads.
 */
export const controlOf = (form: HTMLFormElement, field: string) =>
  form.elements.namedItem(field) as Control | null

export function readValues(form: HTMLFormElement): FormValues {
  const entries = contactFieldNames.map((field) => [field, controlOf(form, field)?.value ?? ''])
  return Object.fromEntries(entries)
}

/** Sets a field's value and tells the form, which keeps the draft. */
function setValue(control: Control, value: string) {
  control.value = value
  control.dispatchEvent(new Event('input', { bubbles: true }))
}

/** Fills empty fields; returns whether one of them is typed, not chosen. */
export function fillEmpty(form: HTMLFormElement, values: Partial<FormValues>): boolean {
  const empty = contactFieldNames.filter((field) => values[field] && controlOf(form, field)?.value === '')
  for (const field of empty) setValue(controlOf(form, field) as Control, values[field] ?? '')
  return empty.some((field) => field !== 'budget')
}

/** Replaces a mistyped email address, and moves the focus to it. */
export function correctEmail(form: HTMLFormElement, address: string): void {
  const control = controlOf(form, 'email') as Control
  setValue(control, address)
  control.focus()
}

/**
 * What certainly stops a request. The server cleans and checks everything else, and names the
 * fields that it refuses. The browser's own constraints apply only without JavaScript: they would
 * refuse text that the server cleans.
 */
export function findErrors(values: FormValues): Errors {
  const missing = contactFieldNames.filter((field) => contactFields[field].required && !values[field].trim())
  return {
    ...(!/\S\s*[@＠﹫]\s*\S/.test(values.email) && { email: notAnEmail }),
    ...Object.fromEntries(missing.map((field) => [field, missingText(field)])),
  }
}

/** The query parameter for a plan: `/?plan=professional#contact`. */
export const planParameter = 'plan'

/**
 * Selects a plan's budget; an empty string clears it. Returns false if the form or the plan doesn't
 * exist.
 */
export function choosePlan(plan: string | null): boolean {
  const budget = document.querySelector<HTMLSelectElement>('select[name="budget"]')
  const options = [...(budget?.options ?? [])]
  const chosen = options.find(({ value }) => value === plan)
  if (!budget || !chosen) return false
  // A reset must clear the field even if the server preselected a plan.
  for (const option of options) option.defaultSelected = option.value === ''
  setValue(budget, chosen.value)
  return true
}
