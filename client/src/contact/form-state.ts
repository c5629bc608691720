import type { ContactField } from '#shared/contact-request.ts'
import { type Errors, type FormValues, findErrors } from './form-values.ts'
import type { Sent } from './sent-panel.tsx'

/** What became of the request. `errors` are shown next to the fields. */
export type FormState = { errors: Errors } & (
  | { name: 'idle' }
  | { name: 'sending'; isLong: boolean }
  /** `isNextStarted`: whether the form is shown again. */
  | { name: 'sent'; isNextStarted: boolean; last: Sent }
  /** `retryAt`: when the form sends itself again. */
  | { name: 'failed'; detail: string; values: FormValues; retryAt: Date | undefined }
)

type Input = { name: 'input'; field: ContactField; values: FormValues }

/** The state after a visitor has changed a field, or after the form has entered a new state. */
export function nextState(state: FormState, event: Input | FormState): FormState {
  if (event.name !== 'input') return event
  const { field, values } = event
  // Clears an error as soon as it is fixed; new errors appear on the next submit.
  const isFixable = state.errors[field] !== undefined
  const errors = isFixable ? { ...state.errors, [field]: findErrors(values)[field] } : state.errors
  if (state.name === 'sent') return { ...state, errors, isNextStarted: true }
  // Whoever changes the text decides when to send it.
  if (state.name === 'failed') return { ...state, errors, values, retryAt: undefined }
  return isFixable ? { ...state, errors } : state
}
