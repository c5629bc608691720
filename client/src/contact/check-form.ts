import * as z from 'zod/mini'
import {
  addScheme,
  type ContactField,
  type ContactRequest,
  contactFieldNames,
  contactSchema,
  fieldErrors,
} from '#shared/contact-request.ts'
import { controlOf, readValues } from './form-values.ts'

// zod's compiled checks need eval, which the CSP forbids.
z.config({ jitless: true })

export type Errors = Partial<Record<ContactField, string>>

type CheckedForm = { request: ContactRequest; errors?: never } | { request?: never; errors: Errors }

/** Adds a missing "https://" to the website field, so that the browser accepts the value. */
export function addWebsiteScheme(form: HTMLFormElement) {
  const website = controlOf(form, 'website')
  if (website) website.value = addScheme(website.value.trim())
}

/** Checks the form against the browser's constraints and the server's schema. If both fail, the schema's message wins. */
export function checkForm(form: HTMLFormElement): CheckedForm {
  const result = contactSchema.safeParse(readValues(form))
  const errors: Errors = {}
  for (const field of contactFieldNames) {
    const control = controlOf(form, field)
    if (control && !control.validity.valid) errors[field] = control.validationMessage
  }
  if (result.error) for (const { field, message } of fieldErrors(result.error)) errors[field] = message
  return result.success && Object.keys(errors).length === 0 ? { request: result.data } : { errors }
}
