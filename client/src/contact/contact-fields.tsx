import type { ComponentProps } from 'react'
import { budgetTiers } from '#shared/business.ts'
import { type ContactField, contactFields } from '#shared/contact-request.ts'
import { describeField, Field } from '../ui/field.tsx'
import type { Errors } from './check-form.ts'
import { MessageCount } from './message-count.tsx'

type Line = ComponentProps<'input'> & { field: ContactField }

// Some character that is no space: the browser itself counts "   " as filled.
const NOT_BLANK = '.*\\S.*'

const lines: Line[] = [
  { field: 'firstName', autoComplete: 'given-name', pattern: NOT_BLANK },
  { field: 'lastName', autoComplete: 'family-name', pattern: NOT_BLANK },
  { field: 'email', type: 'email', autoComplete: 'email', inputMode: 'email' },
  { field: 'phone', type: 'tel', autoComplete: 'tel', inputMode: 'tel' },
  { field: 'company', autoComplete: 'organization' },
  {
    field: 'website',
    type: 'url',
    autoComplete: 'url',
    inputMode: 'url',
  },
]

/** The eight fields, bounds and labels from the contract they are checked against. */
export function ContactFields({ errors }: { errors: Errors }) {
  return (
    <>
      {lines.map(({ field, ...input }) => {
        const { label, required, maxLength } = contactFields[field]
        return (
          <Field key={field} id={field} label={label} error={errors[field]} isHalf isOptional={!required}>
            <input
              type="text"
              id={field}
              name={field}
              required={required}
              maxLength={maxLength}
              enterKeyHint="next"
              {...describeField(field, !required, errors[field])}
              {...input}
            />
          </Field>
        )
      })}
      <Budget error={errors.budget} />
      <Message error={errors.message} />
    </>
  )
}

type FieldProps = { error: string | undefined }

function Budget({ error }: FieldProps) {
  return (
    <Field id="budget" label={contactFields.budget.label} error={error} isOptional>
      <select id="budget" name="budget" {...describeField('budget', true, error)}>
        <option value="">Not decided yet</option>
        {Object.entries(budgetTiers).map(([value, label]) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </select>
    </Field>
  )
}

function Message({ error }: FieldProps) {
  const { label, maxLength } = contactFields.message
  return (
    <Field
      id="message"
      label={label}
      error={error}
      hint="your trade, your town, what the site is for"
      after={<MessageCount fieldId="message" maxLength={maxLength} />}
    >
      <textarea
        id="message"
        name="message"
        required
        maxLength={maxLength}
        rows={6}
        {...describeField('message', true, error)}
      />
    </Field>
  )
}
