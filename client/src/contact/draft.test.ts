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

test('a draft comes back as it was, unfinished fields and all', () => {
  const draft = createDraft(createMemoryStorage().openStorage)

  draft.save(values)

  expect(draft.load()).toEqual(values)
})

test('nothing saved is an empty draft', () => {
  expect(createDraft(createMemoryStorage().openStorage).load()).toEqual({})
})

test('a cleared draft is gone from the storage', () => {
  const { items, openStorage } = createMemoryStorage()
  const draft = createDraft(openStorage)
  draft.save(values)

  draft.clear()

  expect(items.size).toBe(0)
})

test.each(['{"firstName":', 'null', '[1]', '{"firstName":1}'])(
  '%s in the storage is an empty draft',
  (text) => {
    const { items, openStorage } = createMemoryStorage()
    const draft = createDraft(openStorage)
    draft.save(values)

    for (const key of items.keys()) items.set(key, text)

    expect(draft.load()).toEqual({})
  },
)

test('a storage that refuses is no reason to fail', () => {
  const draft = createDraft(openRefusedStorage)

  draft.save(values)
  draft.clear()

  expect(draft.load()).toEqual({})
})
