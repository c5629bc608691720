import * as z from 'zod/mini'
import {
  type ContactField,
  type ContactRequest,
  completeWebsite,
  contactFieldNames,
  contactSchema,
  fieldErrors,
} from '#shared/contact-request.ts'
import { controlOf, readValues } from './form-values.ts'

// zod's compiled checks need eval, which the policy of the site refuses.
z.config({ jitless: true })

export type Errors = Partial<Record<ContactField, string>>

export type CheckedForm = { request: ContactRequest; errors?: never } | { request?: never; errors: Errors }

/** "example.com" becomes an address that the browser's own check accepts. */
export function completeWebsiteField(form: HTMLFormElement) {
  const website = controlOf(form, 'website')
  if (website) website.value = completeWebsite(website.value.trim())
}

/** The browser's native constraints, and the schema that the server will apply; the schema finds the words. */
export function checkForm(form: HTMLFormElement): CheckedForm {
  const result = contactSchema.safeParse(readValues(form))
  const errors: Errors = {}
  for (const field of contactFieldNames) {
    const control = controlOf(form, field)
    if (control && !control.validity.valid) errors[field] = control.validationMessage
  }
  if (result.error) {
    for (const { field, message } of fieldErrors(result.error)) errors[field] = message
  }
  return result.success && Object.keys(errors).length === 0 ? { request: result.data } : { errors }
}
