import type { ReactNode } from 'react'
import * as words from '#brand/words/form.ts'
import { plans } from '#facts/plans.ts'
import { budgetTiers } from '#shared/budget-tiers.ts'
import { type ContactField, contactFields, detailFields } from '#shared/contact-request.ts'
import { costOfFirstMonths } from '#shared/fact-checks/numbers.ts'
import { formatMoney } from '#shared/money.ts'
import type { EmailTypo } from '#shared/text/find-email-typo.ts'
import { Field, Select, TextField } from '../ui/field.tsx'
import textButton from '../ui/text-button.module.css'
import styles from './contact-form.module.css'
import { correctEmail, type Errors } from './form-values.ts'

const OPTIONAL_ID = 'optional'
const COST_ID = 'plan-cost'

/**
 * `plan`: the selected budget. `length`: of the message, or 0 while nobody needs to know. `typo`:
 * in the email address.
 */
type Props = { errors: Errors; isSending: boolean; plan: string; length: number; typo: EmailTypo | undefined }

/**
 * The fields are read-only while the form is being sent, because the reset afterward would discard
 * new text.
 */
export function ContactFields({ errors, isSending, plan, length, typo }: Props) {
  const isListed = Object.keys(errors).length > 1
  const input = (field: InputField, below?: ReactNode) => {
    const { label, required, maxLength, input } = contactFields[field]
    return (
      <TextField
        key={field}
        id={field}
        name={field}
        label={label}
        error={errors[field]}
        isQuiet={isListed}
        notes={required ? undefined : OPTIONAL_ID}
        required={required}
        maxLength={maxLength}
        readOnly={isSending}
        {...input}
      >
        {below}
      </TextField>
    )
  }
  const { message, budget } = contactFields
  return (
    <>
      {input('firstName')}
      {input('lastName')}
      {input('email', <EmailHint typo={typo} />)}
      <TextField
        as="textarea"
        id="message"
        name="message"
        label={message.label}
        hint={words.messageHint}
        error={errors.message}
        isQuiet={isListed}
        dir="auto"
        required
        maxLength={message.maxLength}
        rows={4}
        readOnly={isSending}
      >
        {length > 0 && (
          <p className={`${styles.count} muted small`}>{words.messageCount(length, message.maxLength)}</p>
        )}
      </TextField>
      <p className={`${styles.optional} muted`}>
        <strong id={OPTIONAL_ID}>{words.optional}</strong>
        {words.whyOptional}
      </p>
      {detailFields.map((field) => input(field))}
      <Field id="budget" label={budget.label}>
        <div className={`row ${styles.budget}`}>
          <Select
            id="budget"
            name="budget"
            disabled={isSending}
            aria-describedby={`${OPTIONAL_ID} ${COST_ID}`}
          >
            <option value="">{words.noBudget}</option>
            {Object.entries(budgetTiers).map(([value, label]) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </Select>
          <div id={COST_ID} className={`${styles.cost} muted small`} aria-live="polite">
            {plans.map((each) => (
              <p key={each.id} data-plan={each.id} hidden={each.id !== plan}>
                {words.planCost}
                <strong>{formatMoney(costOfFirstMonths(each))}</strong>
              </p>
            ))}
          </div>
        </div>
      </Field>
    </>
  )
}

type InputField = Exclude<ContactField, 'message' | 'budget'>

/** Asks about a mistyped address. */
function EmailHint({ typo }: { typo: EmailTypo | undefined }) {
  const { correction, question } = typo ?? {}
  return (
    <p className="small" aria-live="polite">
      {correction ? (
        <button
          type="button"
          className={textButton.button}
          onClick={({ currentTarget: { form } }) => form && correctEmail(form, correction)}
        >
          {question}
        </button>
      ) : (
        question
      )}
    </p>
  )
}
