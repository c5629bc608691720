import { expect, test } from 'vitest'
import { leadChanges } from '#shared/inbox/lead.ts'
import { createTextKeys, randomUuid } from './text-keys.ts'

test('every key is a UUID that the server accepts', () => {
  const keys = Array.from({ length: 500 }, randomUuid)

  for (const key of keys)
    expect(leadChanges.answers.safeParse({ text: 'Hello', key, base: null, version: 0 }).success).toBe(true)
  expect(new Set(keys).size).toBe(500)
})

test('an answer keeps its key until the key is forgotten', () => {
  const keys = createTextKeys()
  const first = keys.keyFor('Q-1', 'Hello')
  expect(keys.keyFor('Q-1', 'Hello')).toBe(first)

  keys.forget('Q-1')

  expect(keys.keyFor('Q-1', 'Hello')).not.toBe(first)
})

test('different text, or the same text for a different lead, gets a new key', () => {
  const keys = createTextKeys()

  const all = [keys.keyFor('Q-1', 'Hello'), keys.keyFor('Q-2', 'Hello'), keys.keyFor('Q-1', 'Hello!')]

  expect(new Set(all).size).toBe(3)
})
