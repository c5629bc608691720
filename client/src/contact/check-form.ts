import * as z from 'zod/mini'
import {
  type ContactField,
  type ContactRequest,
  contactSchema,
  fieldErrors,
} from '#shared/contact-request.ts'
import { addScheme } from '#shared/website-link.ts'
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

/**
 * Checks the form by the server's schema. The browser's constraints apply only without JavaScript: they'd refuse text that the
 * schema cleans ("Ada <ada@example.com>"), or that stops no request ("none" as website).
 */
export function checkForm(form: HTMLFormElement): CheckedForm {
  const { data, error } = contactSchema.safeParse(readValues(form))
  if (data) return { request: data }
  return { errors: Object.fromEntries(fieldErrors(error).map(({ field, message }) => [field, message])) }
}
