import * as z from 'zod/mini'
import { plans } from '#facts/plans.ts'
import { cleanEmail, isEmail, MAX_EMAIL } from './text/clean-email.ts'
import { cleanLine, cleanText } from './text/invisible-characters.ts'
import { addScheme } from './text/website-link.ts'

export const contactPath = '/functions/v1/send-contact-email'
export const MAX_JSON_BYTES = 16 * 1024

/**
 * The path that returns a signed timestamp. The page requests it when the visitor first touches the
 * form, and submits it with the form. It tells the spam filter how long the visitor took.
 */
export const formTokenPath = '/functions/v1/contact-form-token'
export const formTokenField = 'form_token'
/** A honeypot field that people can't see. Its name must not trigger autofill. */
export const honeypotField = 'second_topic'

// Without this pattern, browsers accept "   " in a required field.
const NOT_BLANK = '.*\\S.*'

/**
 * The fields, with their database column and the attributes of their `<input>`. The schema is
 * below, and `detailFields` lists what is shown on a line of its own; everything else that lists
 * what a visitor sent reads these: storage, emails, search, inbox, export, and commands. A new
 * field also needs a migration with its column. Keep their order: hashes of stored requests depend
 * on it. Lengths are in UTF-16 code units, like the browser's `maxlength`.
 */
export const contactFields = {
  firstName: {
    label: 'First name',
    column: 'first_name',
    required: true,
    maxLength: 100,
    input: { type: 'text', dir: 'auto', autoComplete: 'given-name', pattern: NOT_BLANK },
  },
  lastName: {
    label: 'Last name',
    column: 'last_name',
    required: true,
    maxLength: 100,
    input: { type: 'text', dir: 'auto', autoComplete: 'family-name', pattern: NOT_BLANK },
  },
  email: {
    label: 'Email',
    column: 'email',
    required: true,
    maxLength: MAX_EMAIL,
    input: { type: 'email', dir: 'auto', autoComplete: 'email', inputMode: 'email' },
  },
  phone: {
    label: 'Phone',
    column: 'phone',
    required: false,
    maxLength: 40,
    input: { type: 'tel', dir: 'auto', autoComplete: 'tel', inputMode: 'tel' },
  },
  company: {
    label: 'Company',
    column: 'company',
    required: false,
    maxLength: 200,
    input: { type: 'text', dir: 'auto', autoComplete: 'organization' },
  },
  website: {
    label: 'Website',
    column: 'website',
    required: false,
    maxLength: 2048,
    input: { type: 'url', dir: 'auto', autoComplete: 'url', inputMode: 'url' },
  },
  budget: { label: 'Budget', column: 'budget', required: false, maxLength: 20 },
  message: { label: 'Message', column: 'message', required: true, maxLength: 5000 },
} as const

export type ContactField = keyof typeof contactFields
export const contactFieldNames = Object.keys(contactFields) as ContactField[]

/** The optional fields with one line of text. */
export const detailFields = ['phone', 'company', 'website'] as const satisfies ContactField[]

/** The budgets that a visitor can choose: see budget-tiers.ts. */
const budgets = [...plans.map(({ id }) => id), 'custom'] as const

/** What visitors read if they leave a required field empty. */
export const missingText = (field: ContactField): string =>
  field === 'lastName'
    ? 'Please enter your last name, or "-".'
    : `Please enter your ${contactFields[field].label.toLowerCase()}.`

export const notAnEmail = 'Please enter an email address like name@example.com.'

/**
 * Lengths are checked before NFC normalization, to match the browser's `maxlength`. Failed checks
 * abort, because `cleanEmail` takes quadratic time for hostile input.
 */
function required(field: ContactField, clean = cleanLine) {
  const { label, maxLength } = contactFields[field]
  const missing = missingText(field)
  return z.string(missing).check(
    z.overwrite(clean),
    z.trim(),
    z.minLength(1, missing),
    z.maxLength(maxLength, {
      error: `${label}: please use at most ${maxLength} characters.`,
      abort: true,
    }),
    z.normalize('NFC'),
  )
}

/**
 * Nothing in an optional field stops a request: longer text is cut, as by the browser, and what
 * isn't text is left out.
 */
const optional = (field: ContactField, complete = (value: string) => value) =>
  z.catch(
    z.string().check(
      z.overwrite((value) => complete(cleanLine(value).trim()).slice(0, contactFields[field].maxLength)),
      // The cut may have left half a character or a space at the end.
      z.overwrite(cleanLine),
      z.trim(),
      z.normalize('NFC'),
    ),
    ({ input }) => (typeof input === 'number' ? String(input) : ''),
  )

const createSchema = () =>
  z.object({
    firstName: required('firstName'),
    lastName: required('lastName'),
    email: required('email').check(z.overwrite(cleanEmail), z.refine(isEmail, notAnEmail)),
    phone: optional('phone'),
    company: optional('company'),
    website: optional('website', addScheme),
    budget: z.catch(z.enum(['', ...budgets]), ''),
    message: required('message', cleanText),
  })

// The annotation lets the page's build leave out the schema and zod: only the server checks
// requests by it.
export const contactSchema = /* @__PURE__ */ createSchema()

export type ContactRequest = z.infer<typeof contactSchema>

/** The response after a request is stored. Example reference: "Q-7K3M-9QXD". */
export type ContactReceipt = { success: true; reference: string }

/**
 * The first problem of each field. Only required fields have problems, and they are in the order of
 * the form.
 */
export function fieldErrors(error: z.core.$ZodError<ContactRequest>) {
  const messages = z.flattenError(error).fieldErrors
  return contactFieldNames.flatMap((field) => {
    const message = messages[field]?.[0]
    return message ? [{ field, message }] : []
  })
}
