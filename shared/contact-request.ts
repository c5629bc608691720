import * as z from 'zod/mini'
import { budgetTiers } from './budget-tiers.ts'
import { isOneLine, isPlainText, removeDirectionControls } from './invisible-characters.ts'

export const contactPath = '/functions/v1/send-contact-email'
export const MAX_JSON_BYTES = 16 * 1024

/**
 * The path that returns a signed timestamp. The page requests it when the visitor first touches the form, and submits it
 * with the form. It tells the spam filter how long the visitor took.
 */
export const formTokenPath = '/functions/v1/contact-form-token'
export const formTokenField = 'form_token'
/** A honeypot field that people can't see. Its name must not trigger autofill. */
export const honeypotField = 'second_topic'

// Without this pattern, browsers accept "   " in a required field.
const NOT_BLANK = '.*\\S.*'

/**
 * The fields, with the attributes of their `<input>`. Keep their order: hashes of stored requests depend on it. Lengths are
 * in UTF-16 code units, like the browser's `maxlength`.
 */
export const contactFields = {
  firstName: {
    label: 'First name',
    required: true,
    maxLength: 100,
    input: { type: 'text', autoComplete: 'given-name', pattern: NOT_BLANK },
  },
  lastName: {
    label: 'Last name',
    required: true,
    maxLength: 100,
    input: { type: 'text', autoComplete: 'family-name', pattern: NOT_BLANK },
  },
  email: {
    label: 'Email',
    required: true,
    // SMTP allows 256 octets, including the angle brackets around the address (RFC 5321, 4.5.3.1.3).
    maxLength: 254,
    input: { type: 'email', autoComplete: 'email', inputMode: 'email' },
  },
  phone: {
    label: 'Phone',
    required: false,
    maxLength: 40,
    input: { type: 'tel', autoComplete: 'tel', inputMode: 'tel' },
  },
  company: {
    label: 'Company',
    required: false,
    maxLength: 200,
    input: { type: 'text', autoComplete: 'organization' },
  },
  website: {
    label: 'Website',
    required: false,
    maxLength: 2048,
    input: { type: 'url', autoComplete: 'url', inputMode: 'url' },
  },
  budget: { label: 'Budget', required: false, maxLength: 20 },
  message: { label: 'Message', required: true, maxLength: 5000 },
} as const

export type ContactField = keyof typeof contactFields
export const contactFieldNames = Object.keys(contactFields) as ContactField[]

/** The order on the page: the optional fields come last. */
export const fieldsInFormOrder = [true, false].flatMap((required) =>
  contactFieldNames.filter((field) => contactFields[field].required === required),
)

const budgets = Object.keys(budgetTiers) as (keyof typeof budgetTiers)[]

const normalizeLineBreaks = (value: string) => value.replace(/\r\n?/g, '\n')

/** Adds a missing scheme: "example.com/about" -> "https://example.com/about". */
export function addScheme(value: string): string {
  const hasScheme = /^[a-z][a-z0-9+.-]*:(?!\d)/i.test(value)
  const isBareDomain = !hasScheme && /^[^\s/?#@]+\.[^\s/?#@]/.test(value)
  return isBareDomain ? `https://${value}` : value
}

/**
 * Lengths are checked before NFC normalization, to match the browser's `maxlength`. Failed checks abort, because normalizing
 * hostile input takes quadratic time.
 */
function text(field: ContactField, clean = normalizeLineBreaks) {
  const { label, maxLength, required } = contactFields[field]
  const missing = `Please enter your ${label.toLowerCase()}.`
  return z.string(required ? missing : `${label} must be text.`).check(
    z.overwrite(clean),
    z.trim(),
    z.minLength(required ? 1 : 0, missing),
    z.maxLength(maxLength, {
      error: `${label}: please use at most ${maxLength} characters.`,
      abort: true,
    }),
    z.refine(isPlainText, {
      error: `${label} contains characters that cannot be read. Please type it again.`,
      abort: true,
    }),
    z.normalize('NFC'),
  )
}

const singleLine = (field: ContactField) =>
  text(field, removeDirectionControls).check(
    z.refine(isOneLine, `${contactFields[field].label} must be a single line of plain text.`),
  )

// Email programs decode text such as `=?utf-8?Q?a=40b?=` (RFC 2047), and would show a different address.
const encodedWord = /=\?.*\?=/
const emailSchema = z.email({ pattern: z.regexes.html5Email })
const urlSchema = z.url()

/**
 * Accepts the http and https URLs that `type="url"` accepts. Unlike Node.js, Chromium allows spaces in host names, even
 * spaces that NFKC normalization creates.
 */
function isWebsite(value: string): boolean {
  const withoutSpaces = value.normalize('NFKC').replace(/ |%20/g, '-')
  return /^https?:/i.test(value) && [value, withoutSpaces].some((text) => urlSchema.safeParse(text).success)
}

export const contactSchema = z.object({
  firstName: singleLine('firstName'),
  lastName: singleLine('lastName'),
  email: singleLine('email').check(
    // Pasted addresses can contain zero-width characters and direction marks.
    z.overwrite((value) => value.replace(/[\u200b\u200e\u200f\ufeff]/g, '')),
    z.refine(
      (value) => emailSchema.safeParse(value).success && !encodedWord.test(value),
      'Please enter an email address like name@example.com.',
    ),
  ),
  phone: z._default(singleLine('phone'), ''),
  company: z._default(singleLine('company'), ''),
  website: z._default(
    singleLine('website').check(
      z.overwrite(addScheme),
      z.refine(
        (value) => value === '' || isWebsite(value),
        'Please enter a web address like https://example.com.',
      ),
    ),
    '',
  ),
  budget: z._default(z.enum(['', ...budgets], 'Please choose one of the budgets, or none.'), ''),
  message: text('message'),
})

export type ContactRequest = z.infer<typeof contactSchema>

/** The response after a request is stored. Example reference: "Q-7K3M-9QXD". */
export type ContactReceipt = { success: true; reference: string }

/** `message` is for the visitor. */
export type FieldError = { field: ContactField; message: string }

/** The first problem of each field, in form order. */
export function fieldErrors(error: z.core.$ZodError<ContactRequest>): FieldError[] {
  const messages = z.flattenError(error).fieldErrors
  return fieldsInFormOrder.flatMap((field) => {
    const message = messages[field]?.[0]
    return message ? [{ field, message }] : []
  })
}
