import { expect, test } from 'vitest'
import { contactFieldNames } from '#shared/contact-request.ts'
import { type FormValues, fillEmpty, findErrors } from './form-values.ts'

test('a draft fills empty fields, and never replaces what the visitor has typed meanwhile', () => {
  const controls: Record<string, EventTarget & { value: string }> = {
    firstName: Object.assign(new EventTarget(), { value: '' }),
    message: Object.assign(new EventTarget(), { value: 'New' }),
  }
  const elements = { namedItem: (field: string) => controls[field] ?? null }
  const form = { elements } as unknown as HTMLFormElement

  expect(fillEmpty(form, { firstName: 'Ada', message: 'Old' })).toBe(true)

  expect(controls).toMatchObject({ firstName: { value: 'Ada' }, message: { value: 'New' } })
  expect(fillEmpty(form, { message: 'Old' })).toBe(false)
})

test.each(['ada@ example.com', 'ada @ example.com', 'ada＠example.com', 'Ada <ada@example.com>'])(
  'the address %j, which the server cleans, is no error',
  (email) => {
    const values = Object.fromEntries(contactFieldNames.map((field) => [field, 'x'])) as FormValues
    expect(findErrors({ ...values, email })).toEqual({})
  },
)
