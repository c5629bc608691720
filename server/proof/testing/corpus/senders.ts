import { plans } from '#facts/plans.ts'
import type { ContactRequest } from '#shared/contact-request.ts'

const firstNames = [
  'Ana',
  'Bill',
  'Chen',
  'Dwayne',
  'Елена',
  'Fatima',
  '光',
  'José',
  'Mary-Kate',
  'سارة',
  "O'Neil",
]
const lastNames = ['Ortiz', 'McGraw', '王', 'Иванова', 'Haddad', 'van der Berg', 'Nguyễn', 'Smith', 'Sato']
const budgets = ['', ...plans.flatMap(({ id }) => ['', id] as const), 'custom'] as const

/** A request with this message. Most other fields vary with `number`. */
export const requestWith = (message: string, number: number): ContactRequest => ({
  firstName: firstNames[number % firstNames.length] ?? '',
  lastName: lastNames[number % lastNames.length] ?? '',
  email: `visitor-${number}@mail-${number % 7}.example`,
  phone: number % 3 ? '' : `(312) 555-0${100 + (number % 100)}`,
  company: number % 4 ? '' : 'Sample & Daughters LLC',
  website: '',
  budget: budgets[number % budgets.length] ?? '',
  message,
})
