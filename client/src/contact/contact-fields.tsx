import * as words from '#brand/words/form.ts'
import { budgetTiers } from '#shared/budget-tiers.ts'
import { contactFields } from '#shared/contact-request.ts'
import { describeField, Field } from '../ui/field.tsx'
import type { Errors } from './check-form.ts'
import { EmailHint } from './email-hint.tsx'
import { MessageCount } from './message-count.tsx'

const inputFields = ['firstName', 'lastName', 'email', 'phone', 'company', 'website'] as const

type Props = { errors: Errors; isSending: boolean }

/** The fields are read-only while the form is being sent, because the reset afterward would discard new text. */
export function ContactFields({ errors, isSending }: Props) {
  return (
    <>
      {inputFields.map((field) => {
        const { label, required, maxLength, input } = contactFields[field]
        return (
          <Field
            key={field}
            id={field}
            label={label}
            error={errors[field]}
            isHalf
            isOptional={!required}
            after={field === 'email' && <EmailHint fieldId={field} />}
          >
            <input
              id={field}
              name={field}
              required={required}
              maxLength={maxLength}
              enterKeyHint="next"
              readOnly={isSending}
              {...describeField(field, { hasNote: !required, error: errors[field] })}
              {...input}
            />
          </Field>
        )
      })}
      <Budget error={errors.budget} isSending={isSending} />
      <Message error={errors.message} isSending={isSending} />
    </>
  )
}

type FieldProps = { error: string | undefined; isSending: boolean }

function Budget({ error, isSending }: FieldProps) {
  return (
    <Field id="budget" label={contactFields.budget.label} error={error} isOptional>
      <select
        id="budget"
        name="budget"
        disabled={isSending}
        {...describeField('budget', { hasNote: true, error })}
      >
        <option value="">{words.noBudget}</option>
        {Object.entries(budgetTiers).map(([value, label]) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </select>
    </Field>
  )
}

function Message({ error, isSending }: FieldProps) {
  const { label, maxLength } = contactFields.message
  return (
    <Field
      id="message"
      label={label}
      error={error}
      hint={words.messageHint}
      after={<MessageCount fieldId="message" maxLength={maxLength} />}
    >
      <textarea
        id="message"
        name="message"
        required
        maxLength={maxLength}
        rows={7}
        readOnly={isSending}
        {...describeField('message', { hasNote: true, error })}
      />
    </Field>
  )
}
