import { expect, test } from 'vitest'
import { type FormState, nextState } from './form-state.ts'
import type { FormValues } from './form-values.ts'

const values = { firstName: 'Ada', lastName: '', email: 'ada@example.com', message: '' } as FormValues
const typeIn = (state: FormState, field: 'email' | 'message' | 'phone') =>
  nextState(state, { name: 'input', field, values })
const errors = { email: 'Who?', message: 'What?' }

test('an error goes when its field is fixed, and no new one comes before the form is sent again', () => {
  const invalid: FormState = { name: 'idle', errors }

  expect(typeIn(invalid, 'email').errors).toEqual({ email: undefined, message: 'What?' })
  expect(typeIn(invalid, 'message').errors).toMatchObject({ message: expect.stringContaining('enter') })
  expect(typeIn({ name: 'idle', errors: {} }, 'message').errors).toEqual({})
})

test('who types after a failure decides when to send; who types after sending starts the next request', () => {
  const failed: FormState = { name: 'failed', detail: '', values, retryAt: new Date(), errors }
  const sent: FormState = { name: 'sent', isNextStarted: false, last: {}, errors: {} }

  expect(typeIn(failed, 'phone')).toMatchObject({ name: 'failed', retryAt: undefined, errors })
  expect(typeIn(failed, 'email').errors.email).toBeUndefined()
  expect(typeIn(sent, 'phone')).toMatchObject({ name: 'sent', isNextStarted: true })
})
