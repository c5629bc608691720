import { expect, test } from 'vitest'
import { brand } from '#shared/business.ts'
import type { FormValues } from './form-values.ts'
import { mailtoRequest, writeRequest } from './written-request.ts'

const values: FormValues = {
  firstName: 'Ada',
  lastName: 'Lovelace',
  email: 'ada@example.com',
  phone: ' ',
  company: '',
  website: '',
  budget: '',
  message: 'R&D, 100%\nplease',
}

test('the text lists the filled fields', () => {
  expect(writeRequest(values)).toBe(
    'First name: Ada\nLast name: Lovelace\nEmail: ada@example.com\nMessage: R&D, 100%\nplease',
  )
})

test('the email link contains our address and the text', () => {
  const link = new URL(mailtoRequest(values))

  expect(link.pathname).toBe(brand.email)
  expect(link.searchParams.get('body')).toBe(writeRequest(values).replaceAll('\n', '\r\n'))
})

test('a long text is cut between characters, before email programs would reject the link', () => {
  const link = mailtoRequest({ ...values, message: '🏠'.repeat(2500) })

  expect(link.length).toBeLessThanOrEqual(2000)
  expect(new URL(link).searchParams.get('body')).toMatch(/🏠\r\n\[The rest did not fit: please add it\.\]$/u)
})

test('a lone surrogate does not break the link', () => {
  expect(() => mailtoRequest({ ...values, message: 'a\ud83c' })).not.toThrow()
})
