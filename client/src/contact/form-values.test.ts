import { expect, test } from 'vitest'
import { fillEmpty } from './form-values.ts'

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
