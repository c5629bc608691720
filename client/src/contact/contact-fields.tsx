import * as words from '#brand/words/form.ts'
import { contactFields, detailFields } from '#shared/contact-request.ts'
import { describeField, Field } from '../ui/field.tsx'
import { BudgetField } from './budget-field.tsx'
import type { Errors } from './check-form.ts'
import styles from './contact-form.module.css'
import { EmailHint } from './email-hint.tsx'
import { MessageCount } from './message-count.tsx'

const OPTIONAL_ID = 'optional'

type Props = { errors: Errors; isSending: boolean }

/** The fields are read-only while the form is being sent, because the reset afterward would discard new text. */
export function ContactFields({ errors, isSending }: Props) {
  const input = (field: InputField) => (
    <InputField key={field} field={field} error={errors[field]} isSending={isSending} />
  )
  return (
    <>
      {(['firstName', 'lastName', 'email'] as const).map(input)}
      <Message error={errors.message} isSending={isSending} />
      <p className={styles.optional}>
        <strong id={OPTIONAL_ID}>{words.optional}</strong>
        {words.whyOptional}
      </p>
      {detailFields.map(input)}
      <BudgetField notes={OPTIONAL_ID} error={errors.budget} isSending={isSending} />
    </>
  )
}

type InputField = Exclude<keyof typeof contactFields, 'message' | 'budget'>
type FieldProps = { error: string | undefined; isSending: boolean }

function InputField({ field, error, isSending }: FieldProps & { field: InputField }) {
  const { label, required, maxLength, input } = contactFields[field]
  return (
    <Field
      id={field}
      label={label}
      error={error}
      isHalf={field !== 'email' && field !== 'website'}
      after={field === 'email' && <EmailHint fieldId={field} />}
    >
      <input
        id={field}
        name={field}
        required={required}
        maxLength={maxLength}
        readOnly={isSending}
        {...describeField(field, { error, ...(!required && { notes: OPTIONAL_ID }) })}
        {...input}
      />
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
        dir="auto"
        required
        maxLength={maxLength}
        rows={4}
        readOnly={isSending}
        {...describeField('message', { hasNote: true, error })}
      />
    </Field>
  )
}
