import * as z from 'zod/mini'
import { budgetTiers } from './business.ts'
import type { FieldError } from './problem.ts'
import { isOneLine, isPlainText, withoutTurns } from './steering-characters.ts'

export const contactPath = '/functions/v1/send-contact-email'

/** Where the form gets its signed time when it is first touched. It and the trap travel beside the eight fields. */
export const formTokenPath = '/functions/v1/contact-form-token'
export const formTokenField = 'form_token'
/** A field that people cannot see: no name that a browser would fill in for them. */
export const trapField = 'second_topic'

// Some character that is no space: the browser itself counts "   " as filled.
const NOT_BLANK = '.*\\S.*'

/**
 * The fields in the order of the form, with the attributes of their `<input>` where they have one. Lengths count UTF-16
 * code units, as the browser's `maxlength` does.
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
    // The longest address that fits an SMTP path (RFC 5321, 4.5.3.1.3).
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

const budgets = Object.keys(budgetTiers) as (keyof typeof budgetTiers)[]

const withLineFeeds = (value: string) => value.replace(/\r\n?/g, '\n')

/** "example.com/about" -> "https://example.com/about": what people type who leave out the scheme. */
export function completeWebsite(value: string): string {
  const hasScheme = /^[a-z][a-z0-9+.-]*:(?!\d)/i.test(value)
  const isBareDomain = !hasScheme && /^[^\s/?#@]+\.[^\s/?#@]/.test(value)
  return isBareDomain ? `https://${value}` : value
}

/**
 * Lengths are checked before NFC, so that the server takes what the browser's `maxlength` lets through. The checks before
 * NFC abort: what they refuse must not reach it.
 */
function text(field: ContactField, clean = withLineFeeds) {
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

const line = (field: ContactField) =>
  text(field, withoutTurns).check(
    z.refine(isOneLine, `${contactFields[field].label} must be a single line of plain text.`),
  )

// Mail programs show an encoded word (RFC 2047) as the text in it.
const encodedWord = /=\?.*\?=/
const isEmail = z.email({ pattern: z.regexes.html5Email })
const anyUrl = z.url()

/**
 * What the browsers' `type="url"` lets through, for http and https. Chromium also takes spaces in the name of a host,
 * and characters that Unicode's compatibility form turns into some; the URL standard, and so Node, does not.
 */
function isWebsite(value: string): boolean {
  const withoutSpaces = value.normalize('NFKC').replace(/ |%20/g, '-')
  return /^https?:/i.test(value) && [value, withoutSpaces].some((text) => anyUrl.safeParse(text).success)
}

/** The whole contract of the form: trims, cleans and checks the eight strings; unknown keys are dropped. */
export const contactSchema = z.object({
  firstName: line('firstName'),
  lastName: line('lastName'),
  email: line('email').check(
    // Unseen, and in no address.
    z.overwrite((value) => value.replace(/[\u200b\u200e\u200f\ufeff]/g, '')),
    z.refine(
      (value) => isEmail.safeParse(value).success && !encodedWord.test(value),
      'Please enter an email address like name@example.com.',
    ),
  ),
  phone: z._default(line('phone'), ''),
  company: z._default(line('company'), ''),
  website: z._default(
    line('website').check(
      z.overwrite(completeWebsite),
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

/** The answer to a request that is on disk. The reference is for people: "Q-7K3M-9QXD". */
export type ContactReceipt = { success: true; reference: string }

/** The first problem of each field, in the order of the form. */
export function fieldErrors(error: z.core.$ZodError<ContactRequest>): FieldError[] {
  const messages = z.flattenError(error).fieldErrors
  return contactFieldNames.flatMap((field) => {
    const message = messages[field]?.[0]
    return message ? [{ field, message }] : []
  })
}
