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

// The site's CSP forbids eval, which zod's compiled checks need.
z.config({ jitless: true })

export type Errors = Partial<Record<ContactField, string>>

export type CheckedForm = { request: ContactRequest; errors?: never } | { request?: never; errors: Errors }

/** Adds a missing scheme, so that the browser accepts the field. */
export function completeWebsiteField(form: HTMLFormElement) {
  const website = controlOf(form, 'website')
  if (website) website.value = completeWebsite(website.value.trim())
}

/** Applies the browser's constraints and the server's schema. If both fail, the schema's message is used. */
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
