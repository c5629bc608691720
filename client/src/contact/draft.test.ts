import { expect, test } from 'vitest'
import { createDraft } from './draft.ts'
import type { FormValues } from './form-values.ts'
import { createMemoryStorage, openBlockedStorage } from './memory-storage.ts'

const values: FormValues = {
  firstName: 'Ada',
  lastName: '',
  email: 'ada@',
  phone: '',
  company: '',
  website: '',
  budget: 'starter',
  message: 'Two\nlines',
}

test('a draft is restored unchanged, including incomplete fields', () => {
  const draft = createDraft(createMemoryStorage().openStorage)

  draft.save(values)

  expect(draft.load()).toEqual(values)
})

test('if no draft is saved, loading it returns no values', () => {
  expect(createDraft(createMemoryStorage().openStorage).load()).toEqual({})
})

test('a cleared draft is removed from storage', () => {
  const { items, openStorage } = createMemoryStorage()
  const draft = createDraft(openStorage)
  draft.save(values)

  draft.clear()

  expect(items.size).toBe(0)
})

test.each(['{"firstName":', 'null', '[1]', '{"firstName":1}'])(
  'invalid stored data (%s) is treated as an empty draft',
  (text) => {
    const { items, openStorage } = createMemoryStorage()
    const draft = createDraft(openStorage)
    draft.save(values)

    for (const key of items.keys()) items.set(key, text)

    expect(draft.load()).toEqual({})
  },
)

test('if storage is unavailable, nothing throws, and loading the draft returns no values', () => {
  const draft = createDraft(openBlockedStorage)

  draft.save(values)
  draft.clear()

  expect(draft.load()).toEqual({})
})
