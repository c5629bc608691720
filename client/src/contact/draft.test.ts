import { expect, test } from 'vitest'
import { createDraft } from './draft.ts'
import type { FormValues } from './form-values.ts'
import { createMemoryStorage, openRefusedStorage } from './memory-storage.ts'

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

test('a draft is restored unchanged, with unfinished fields', () => {
  const draft = createDraft(createMemoryStorage().openStorage)

  draft.save(values)

  expect(draft.load()).toEqual(values)
})

test('nothing saved is an empty draft', () => {
  expect(createDraft(createMemoryStorage().openStorage).load()).toEqual({})
})

test('a cleared draft is removed from storage', () => {
  const { items, openStorage } = createMemoryStorage()
  const draft = createDraft(openStorage)
  draft.save(values)

  draft.clear()

  expect(items.size).toBe(0)
})

test.each(['{"firstName":', 'null', '[1]', '{"firstName":1}'])('%s in storage is an empty draft', (text) => {
  const { items, openStorage } = createMemoryStorage()
  const draft = createDraft(openStorage)
  draft.save(values)

  for (const key of items.keys()) items.set(key, text)

  expect(draft.load()).toEqual({})
})

test('unavailable storage is not an error', () => {
  const draft = createDraft(openRefusedStorage)

  draft.save(values)
  draft.clear()

  expect(draft.load()).toEqual({})
})
